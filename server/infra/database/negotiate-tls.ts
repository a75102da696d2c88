import { contained } from '../../common/contain-faults.js';
import { connect } from 'node:net';
import { DATABASE_LIMITS } from './database-limits.js';
import type { ServerAddress } from './database-url.js';

/** Asks for TLS before anything else (https://www.postgresql.org/docs/17/protocol-message-formats.html, SSLRequest, read 2026-11-25). */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const YES = 'S'.charCodeAt(0);
/** CLIENT_SSL among the lower capabilities, in the greeting of MySQL and MariaDB. */
const CLIENT_SSL = 0x08_00;

/** `prefer` settled: encrypted when the server offers it. Fails: never; a server that cannot be reached offers nothing. */
export async function negotiateTls(address: ServerAddress): Promise<ServerAddress> {
  if (address.sslMode !== 'prefer' || address.socket !== undefined) return address;
  return { ...address, sslMode: (await offersTls(address)) ? 'require' : 'disable' };
}

function offersTls({ dialect, host, port }: ServerAddress): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    let heard = Buffer.alloc(0);
    const end = (offers: boolean): void => {
      socket.destroy();
      resolve(offers);
    };
    const giveUp = contained(() => end(false));
    socket.setTimeout(DATABASE_LIMITS.connectMs, giveUp);
    socket.on('error', giveUp).on('close', giveUp);
    if (dialect === 'postgres') socket.write(SSL_REQUEST);
    const hear = (bytes: Buffer): void => {
      heard = Buffer.concat([heard, bytes]);
      const offers = dialect === 'postgres' ? heard[0] === YES : readGreeting(heard);
      if (offers !== undefined) end(offers);
    };
    socket.on('data', contained(hear, giveUp));
  });
}

/** @returns undefined while it is not all there */
function readGreeting(bytes: Buffer): boolean | undefined {
  // Length and number of the packet, version of the protocol, name of the server up to a zero, thread, salt, a zero.
  const name = bytes.indexOf(0, 5);
  const at = name + 1 + 4 + 8 + 1;
  if (name === -1 || bytes.length < at + 2) return undefined;
  return (bytes.readUInt16LE(at) & CLIENT_SSL) !== 0;
}
