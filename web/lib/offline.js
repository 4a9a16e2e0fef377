// Installs the service worker (sw.js) when the page stands, and changes to a new version of the page when one is there.

const LATER_MS = 3000; // what the visitor came for goes first
const EARLY_MS = 5000; // until then nothing has been done that loading anew could undo
const controlled = Boolean(navigator.serviceWorker?.controller);

async function install() {
    const registration = await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
    const { active } = await navigator.serviceWorker.ready;
    if (!navigator["connection"]?.saveData) active.postMessage("keep more");
    return registration;
}

export async function keepOffline() {
    if (!navigator.serviceWorker) return; // no secure connection, or an old browser
    if (controlled) // from an old version to a new one
        navigator.serviceWorker.addEventListener("controllerchange", () => performance.now() < EARLY_MS && location.reload(), { once: true });
    const registration = await navigator.serviceWorker.getRegistration();
    registration?.waiting?.postMessage("take over"); // it has been waiting since the last visit
    setTimeout(() => install().catch(() => {}), LATER_MS); // private windows have none
}
