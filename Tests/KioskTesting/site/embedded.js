// In a frame of another site.
(() => {
  const query = new URLSearchParams(location.search);
  const read = () => ({
    cookie: document.cookie.split("; ").find(pair => pair.startsWith("partitioned="))?.slice(12),
    storage: localStorage.token,
  });
  if (query.has("seed")) {
    const token = query.get("token");
    localStorage.token = token;
    document.cookie = `partitioned=${token}; path=/; secure; samesite=none; partitioned; max-age=864000`;
  }
  parent.postMessage(read(), "*");
})();
