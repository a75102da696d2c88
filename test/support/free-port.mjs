import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

// Below the range from which systems give out ports of their own accord, above the ports that fetch refuses.
const FIRST = 11_000;
const LAST = 31_999;

/**
 * A port that no other process of a test run gets while this one lives: a port returned by `listen(0)` and closed again could be
 * another server's before its own server has started.
 * @returns {Promise<number>}
 */
export async function freePort() {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    if ((await isReserved(port)) && (await isUnused(port))) return port;
  }
}

/** Holds the port's number among datagram ports, which nothing here uses, until this process ends. */
function isReserved(port) {
  return new Promise((resolve) => {
    const mark = createSocket('udp4');
    mark.once('error', () => resolve(false));
    mark.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      mark.unref();
      resolve(true);
    });
  });
}

function isUnused(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, () => probe.close(() => resolve(true)));
  });
}
