// Leaves the token in every kind of state, looks whether it is there, and tells the server which kinds hold it.
(async () => {
  const token = new URLSearchParams(location.search).get("token");
  const seeded = [], failed = {};
  for (const kind of Object.keys(kinds)) {
    try {
      await within(10000, (async () => kinds[kind].seed(token))());
    } catch (error) {
      failed[kind] = String(error);
    }
  }
  embedded = undefined;
  await Promise.all(Object.keys(kinds).map(async kind => {
    const found = await lookFor(kind);
    if (found === token || (kind === "permission" && found)) seeded.push(kind);
    else failed[kind] ??= `read back: ${found}`;
  }));
  // A page that stays open is seen by the server for as long as its request is.
  fetch(`${origin("live")}/live?kind=openPage&token=${token}`).catch(() => {});
  await new Promise(done => {
    const download = document.createElement("iframe");
    download.src = `/download?token=${token}`;
    document.body.append(download);
    setTimeout(done, 300);
  });
  await post("/seeded", { token, seeded, failed });
  document.title = "seeded";
  follow(`seed ${token}`);
})();
