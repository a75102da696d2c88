import { AGENT_CLIENTS } from './agent-clients.ts';
import { APPLICATION_CLIENTS } from './application-clients.ts';
import type { ConnectClient } from './connect-client.ts';
import { PACKAGE_CLIENTS } from './package-clients.ts';

/** Every client whose configuration the console writes: agents, applications, packages. */
export const CONNECT_CLIENTS: readonly ConnectClient[] = [
  ...AGENT_CLIENTS,
  ...APPLICATION_CLIENTS,
  ...PACKAGE_CLIENTS,
];

/** The client of an id, else the first one. */
export function connectClient(id: string): ConnectClient {
  const found = CONNECT_CLIENTS.find((client) => client.id === id) ?? CONNECT_CLIENTS[0];
  if (found === undefined) throw new Error('there is no client');
  return found;
}
