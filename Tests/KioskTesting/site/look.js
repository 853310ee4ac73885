// Looks for what an earlier person left, and tells the server.
(async () => {
  const run = new URLSearchParams(location.search).get("run");
  const found = {};
  await Promise.all(Object.keys(kinds).map(async kind => {
    const value = await lookFor(kind);
    if (value) found[kind] = String(value);
  }));
  await post("/report", { run, found });
  document.title = "looked";
  follow(`look ${run}`);
})();
