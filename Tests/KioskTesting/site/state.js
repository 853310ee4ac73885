// Every kind of state that a page can leave in a browser: how it is left, and how a later page looks for it.
// `look` gives the token, or whatever else it finds, or nothing.
const origin = name => `https://${name}.test:${location.port}`;
const pause = ms => new Promise(done => setTimeout(done, ms));
const within = (ms, work) =>
  Promise.race([work, pause(ms).then(() => { throw new Error("no answer in time"); })]);
const ask = (path, headers) => fetch(path, { headers });
const text = async (path, headers) => (await ask(path, headers)).text();

const wait = request => new Promise((done, failed) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => failed(request.error);
});
const settled = transaction => new Promise((done, failed) => {
  transaction.oncomplete = done;
  transaction.onerror = transaction.onabort = () => failed(transaction.error);
});
async function openDatabase(factory) {
  const request = factory.open("worker", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("tokens");
  return wait(request);
}
async function writeDatabase(factory, token) {
  const database = await openDatabase(factory);
  const transaction = database.transaction("tokens", "readwrite", { durability: "strict" });
  transaction.objectStore("tokens").put(token, "token");
  await settled(transaction);
  database.close();
}
async function readDatabase(factory) {
  const database = await openDatabase(factory);
  const value = await wait(database.transaction("tokens").objectStore("tokens").get("token"));
  database.close();
  return value;
}
async function writeFile(folder, token) {
  const file = await (await folder.getFileHandle("token", { create: true })).createWritable();
  await file.write(token);
  await file.close();
}
const readFile = async folder => (await (await folder.getFileHandle("token")).getFile()).text();
const cookie = name => document.cookie.split("; ").find(pair => pair.startsWith(name + "="))?.slice(name.length + 1);

// A frame of another site, with storage that is kept for this top-level site only.
const frame = what => new Promise(done => {
  const element = document.createElement("iframe");
  addEventListener("message", event => { if (event.source === element.contentWindow) done(event.data); });
  element.src = `${origin("app")}/embedded?${what}`;
  document.body.append(element);
});
let embedded;
const inFrame = () => embedded ??= frame("look");

const shared = () => new SharedWorker("/shared.js", "worker").port;
const answer = port => new Promise(done => { port.onmessage = event => done(event.data); });

const kinds = {
  sessionCookie: {
    seed: token => { document.cookie = `session=${token}; path=/; secure`; },
    look: () => cookie("session"),
  },
  persistentCookie: {
    seed: token => { document.cookie = `persistent=${token}; path=/; secure; max-age=864000`; },
    look: () => cookie("persistent"),
  },
  httpOnlyCookie: {
    seed: token => text("/set-cookie", { "x-token": token }),
    look: () => text("/cookie"),
  },
  partitionedCookie: {
    seed: token => embedded ??= frame(`seed&token=${token}`),
    look: async () => (await inFrame()).cookie,
  },
  embeddedStorage: {
    seed: token => embedded ??= frame(`seed&token=${token}`),
    look: async () => (await inFrame()).storage,
  },
  localStorage: {
    seed: token => { localStorage.token = token; },
    look: () => localStorage.token,
  },
  sessionStorage: {
    seed: token => { sessionStorage.token = token; },
    look: () => sessionStorage.token,
  },
  indexedDB: {
    seed: token => writeDatabase(indexedDB, token),
    look: () => readDatabase(indexedDB),
  },
  cacheStorage: {
    seed: async token => (await caches.open("worker")).put("/kept", new Response(token)),
    look: async () => (await caches.match("/kept"))?.text(),
  },
  originPrivateFiles: {
    seed: async token => writeFile(await navigator.storage.getDirectory(), token),
    look: async () => readFile(await navigator.storage.getDirectory()),
  },
  storageBucket: {
    seed: async token => {
      const bucket = await navigator.storageBuckets.open("worker", { persisted: false, durability: "strict" });
      await writeDatabase(bucket.indexedDB, token);
    },
    look: async () => readDatabase((await navigator.storageBuckets.open("worker")).indexedDB),
  },
  serviceWorker: {
    seed: async token => {
      await navigator.serviceWorker.register(`/worker.js?token=${token}`);
      await navigator.serviceWorker.ready;
    },
    look: async () => {
      const registration = await navigator.serviceWorker.getRegistration("/");
      const url = (registration?.active ?? registration?.waiting ?? registration?.installing)?.scriptURL;
      return url && new URL(url).searchParams.get("token");
    },
  },
  sharedWorker: {
    seed: token => shared().postMessage(token),
    look: () => { const port = shared(); port.postMessage(null); return answer(port); },
  },
  openPage: {
    seed: token => {
      const channel = new BroadcastChannel("worker");
      channel.onmessage = event => { if (event.data === "who?") channel.postMessage(token); };
      globalThis.channelOfThisPage = channel;
    },
    look: () => {
      const channel = new BroadcastChannel("worker");
      const heard = answer(channel);
      channel.postMessage("who?");
      return Promise.race([heard, pause(4000)]);
    },
  },
  webLock: {
    seed: token => new Promise(held => {
      navigator.locks.request(token, () => { held(); return new Promise(() => {}); });
    }),
    look: async () => (await navigator.locks.query()).held[0]?.name,
  },
  sessionHistory: {
    seed: () => {},
    // Those of other pages; the seeding page itself counts when it reads back.
    look: () => navigation.entries().map(entry => entry.url && new URL(entry.url).searchParams.get("token"))
      .find(Boolean),
  },
  httpCache: {
    seed: token => text("/immutable", { "x-token": token }),
    look: () => text("/immutable"),
  },
  entityTag: {
    seed: token => text("/tagged", { "x-token": token }),
    look: () => text("/tagged"),
  },
  cachedRedirect: {
    seed: token => text("/moved", { "x-token": token }),
    look: async () => new URL((await ask("/moved")).url).searchParams.get("token"),
  },
  basicAuthentication: {
    // Only XMLHttpRequest lets a page give name and password; the browser then keeps them as if they had been typed.
    seed: token => new Promise((done, failed) => {
      const request = new XMLHttpRequest();
      request.open("GET", "/private/enter", true, "worker", token);
      request.onload = () => request.status === 200 ? done() : failed(new Error(`status ${request.status}`));
      request.onerror = failed;
      request.send();
    }),
    look: () => text("/private/look", { "x-look": "1" }),
  },
  permission: {
    // Granted from outside, before the page comes.
    seed: () => {},
    look: async () => {
      const { state } = await navigator.permissions.query({ name: "geolocation" });
      return state === "granted" ? "granted" : undefined;
    },
  },
};

async function lookFor(kind) {
  try {
    return (await within(5000, (async () => kinds[kind].look())())) || undefined;
  } catch (error) {
    return undefined;
  }
}

const post = (path, body) => fetch(path, { method: "POST", body: JSON.stringify(body) });

// Asks the test where to go next, for as long as it takes. Another host, so that no connection of this site waits.
async function follow(page) {
  for (;;) {
    try {
      const answer = await fetch(`${origin("live")}/orders?page=${encodeURIComponent(page)}`);
      const { go } = await answer.json();
      if (go) { location.href = go; return; }
    } catch (error) {
      await pause(200);
    }
  }
}

// A page of somebody, if its address has a token, is seen by the server for as long as its request is.
function standBy() {
  const query = new URLSearchParams(location.search);
  const token = query.get("token");
  if (token) fetch(`${origin("live")}/live?kind=standby&token=${token}`).catch(() => {});
  follow(query.get("page"));
}
