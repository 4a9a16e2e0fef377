// Pictures are decoded, measured and compared by the browser itself, on a blank page of its own. PNG in base64 goes in.
import { deflateSync } from "node:zlib";

export class Pictures {
    static async open(browser) {
        const pictures = new Pictures();
        pictures.page = await browser.newPage();
        await pictures.page.evaluate(installTools);
        return pictures;
    }

    // The share of pixels, from 0 to 1, that are nearly black.
    darkShare(png) {
        return this.page.evaluate((data) => tools.darkShare(data), png);
    }

    // A quarter as wide and as high, as PNG: each pixel is the mean of sixteen, each channel has sixteen levels.
    async quarter(png) {
        const { width, height, rgb } = await this.page.evaluate((data) => tools.quarter(data), png);
        return encode(width, height, Buffer.from(rgb, "base64"));
    }

    // Two pictures as {off, difference}: the share of pixels in which some channel differs by more than the tolerance, and
    // a picture of them in red. Pictures of different sizes are laid over each other at the top left; what only one of
    // them has is off.
    async compare(one, other, tolerance) {
        const found = await this.page.evaluate(([a, b, most]) => tools.compare(a, b, most), [one, other, tolerance]);
        return { off: found.off, difference: encode(found.width, found.height, Buffer.from(found.rgb, "base64")) };
    }

    close() { return this.page.close(); }
}

// --- PNG --------------------------------------------------------------------------------------------

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
    for (let bit = 0; bit < 8; bit++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
    return n;
});

function chunk(type, data) {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(~body.reduce((crc, byte) => CRC[(crc ^ byte) & 255] ^ (crc >>> 8), -1) >>> 0);
    return Buffer.concat([length, body, sum]);
}

// Up to 256 colours make a palette, which is a third of the size; more are written as they are.
function encode(width, height, rgb) {
    const palette = new Map();
    const indices = Buffer.alloc(width * height);
    for (let i = 0; i < indices.length; i++) {
        const colour = rgb.readUIntBE(3 * i, 3);
        if (!palette.has(colour)) palette.set(colour, palette.size);
        indices[i] = palette.get(colour);
    }
    const isIndexed = palette.size <= 256;
    const [pixels, bytes] = isIndexed ? [indices, width] : [rgb, 3 * width];
    const rows = Array.from({ length: height }, (_, y) => [Buffer.alloc(1), pixels.subarray(y * bytes, (y + 1) * bytes)]).flat();
    const head = Buffer.alloc(13);
    head.writeUInt32BE(width, 0);
    head.writeUInt32BE(height, 4);
    head.set([8, isIndexed ? 3 : 2], 8);
    const colours = Buffer.alloc(3 * palette.size);
    [...palette.keys()].forEach((colour, i) => colours.writeUIntBE(colour, 3 * i, 3));
    return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", head), ...(isIndexed ? [chunk("PLTE", colours)] : []),
        chunk("IDAT", deflateSync(Buffer.concat(rows), { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}

// --- in the browser ---------------------------------------------------------------------------------

function installTools() {
    async function decode(base64) {
        const blob = await (await fetch(`data:image/png;base64,${base64}`)).blob();
        const bitmap = await createImageBitmap(blob);
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        const context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
        context.drawImage(bitmap, 0, 0);
        return context.getImageData(0, 0, canvas.width, canvas.height);
    }

    // {width, height, rgb}: three bytes a pixel, in base64.
    function pack({ width, height, data }) {
        let text = "";
        for (let i = 0; i < data.length; i += 4) text += String.fromCharCode(data[i], data[i + 1], data[i + 2]);
        return { width, height, rgb: btoa(text) };
    }

    window.tools = {
        async darkShare(png) {
            const { data, width, height } = await decode(png);
            let dark = 0;
            for (let i = 0; i < data.length; i += 4) if (Math.max(data[i], data[i + 1], data[i + 2]) < 48) dark++;
            return dark / (width * height);
        },

        async quarter(png) {
            const from = await decode(png);
            const to = new ImageData(Math.ceil(from.width / 4), Math.ceil(from.height / 4));
            const sums = new Float64Array(4 * to.width * to.height); // red, green, blue, how many pixels
            for (let y = 0, i = 0; y < from.height; y++)
                for (let x = 0; x < from.width; x++, i += 4) {
                    const at = 4 * ((y >> 2) * to.width + (x >> 2));
                    for (let c = 0; c < 3; c++) sums[at + c] += from.data[i + c];
                    sums[at + 3]++;
                }
            for (let i = 0; i < sums.length; i++) to.data[i] = i % 4 === 3 ? 255 : Math.round(sums[i] / sums[i | 3] / 17) * 17;
            return pack(to);
        },

        async compare(first, second, tolerance) {
            const [a, b] = [await decode(first), await decode(second)];
            const [width, height] = [Math.max(a.width, b.width), Math.max(a.height, b.height)];
            const shown = new ImageData(width, height);
            let off = 0;
            for (let y = 0; y < height; y++)
                for (let x = 0; x < width; x++) {
                    const [i, j, k] = [4 * (y * a.width + x), 4 * (y * b.width + x), 4 * (y * width + x)];
                    const isInBoth = x < a.width && x < b.width && y < a.height && y < b.height;
                    const isOff = !isInBoth || [0, 1, 2].some((c) => Math.abs(a.data[i + c] - b.data[j + c]) > tolerance);
                    if (isOff) off++;
                    // What is alike is pale, so that the red is seen.
                    for (let c = 0; c < 3; c++) shown.data[k + c] = isOff ? [220, 0, 0][c] : 192 + Math.floor(b.data[j + c] / 85) * 21;
                    shown.data[k + 3] = 255;
                }
            return { off: off / (width * height), ...pack(shown) };
        },
    };
}
