let token;
addEventListener("connect", event => {
  const [port] = event.ports;
  port.onmessage = event => {
    if (event.data) token = event.data; else port.postMessage(token);
  };
});
