// Pictures are decoded, measured and compared by the browser itself, on a blank page of its own.

export class Pictures {
    static async open(browser) {
        const pictures = new Pictures();
        pictures.page = await browser.newPage();
        await pictures.page.evaluate(installTools);
        return pictures;
    }

    // The share of pixels, from 0 to 1, that are nearly black.
    darkShare(png) {
        return this.page.evaluate((data) => tools.darkShare(data), png.toString("base64"));
    }

    // A quarter as wide and as high: each pixel is the mean of sixteen.
    async quarter(png) {
        return Buffer.from(await this.page.evaluate((data) => tools.quarter(data), png.toString("base64")), "base64");
    }

    // Two pictures as {off, difference}: the share of pixels in which some channel differs by more than the tolerance, and
    // a picture of them in red. Pictures of different sizes are laid over each other at the top left; what only one of
    // them has is off.
    async compare(one, other, tolerance) {
        const found = await this.page.evaluate(([a, b, most]) => tools.compare(a, b, most), [one.toString("base64"), other.toString("base64"), tolerance]);
        return { off: found.off, difference: Buffer.from(found.difference, "base64") };
    }

    close() { return this.page.close(); }
}

// Runs in the browser.
function installTools() {
    async function decode(base64) {
        const blob = await (await fetch(`data:image/png;base64,${base64}`)).blob();
        const bitmap = await createImageBitmap(blob);
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        const context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
        context.drawImage(bitmap, 0, 0);
        return context.getImageData(0, 0, canvas.width, canvas.height);
    }

    async function encode(image) {
        const canvas = new OffscreenCanvas(image.width, image.height);
        canvas.getContext("2d", { alpha: false }).putImageData(image, 0, 0);
        const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer());
        return bytes.toBase64?.() ?? btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    }

    window.tools = {
        async darkShare(png) {
            const { data, width, height } = await decode(png);
            let dark = 0;
            for (let i = 0; i < data.length; i += 4) if (Math.max(data[i], data[i + 1], data[i + 2]) < 48) dark++;
            return dark / (width * height);
        },

        // Channels keep their upper six bits: what is lost is far below the tolerance, and the files are smaller.
        async quarter(png) {
            const from = await decode(png);
            const to = new ImageData(Math.ceil(from.width / 4), Math.ceil(from.height / 4));
            for (let y = 0; y < to.height; y++)
                for (let x = 0; x < to.width; x++) {
                    const sums = [0, 0, 0];
                    let count = 0;
                    for (let v = 4 * y; v < Math.min(4 * y + 4, from.height); v++)
                        for (let u = 4 * x; u < Math.min(4 * x + 4, from.width); u++) {
                            const at = 4 * (v * from.width + u);
                            for (let c = 0; c < 3; c++) sums[c] += from.data[at + c];
                            count++;
                        }
                    const at = 4 * (y * to.width + x);
                    for (let c = 0; c < 3; c++) to.data[at + c] = Math.min(255, Math.round(sums[c] / count / 4) * 4);
                    to.data[at + 3] = 255;
                }
            return encode(to);
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
                    for (let c = 0; c < 3; c++) shown.data[k + c] = isOff ? [220, 0, 0][c] : 192 + b.data[j + c] / 4;
                    shown.data[k + 3] = 255;
                }
            return { off: off / (width * height), difference: await encode(shown) };
        },
    };
}
