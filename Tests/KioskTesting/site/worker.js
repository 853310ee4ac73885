// The service worker: its own address holds the token, and while it runs it has a request open.
const token = new URL(location.href).searchParams.get("token");
addEventListener("install", () => skipWaiting());
addEventListener("activate", event => event.waitUntil(clients.claim()));
const port = new URL(location.href).port;
fetch(`https://live.test:${port}/live?kind=serviceWorker&token=${token}`).catch(() => {});
