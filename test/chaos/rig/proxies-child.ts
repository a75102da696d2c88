import { SeededRandom } from '../../simulator/seeded-random.js';
import { serveParent } from './child-service.js';
import { FaultProxy, type LineFault } from './fault-proxy.js';

const proxies = new Map<string, FaultProxy>();

function proxyOf(name: string): FaultProxy {
  const proxy = proxies.get(name);
  if (proxy === undefined) throw new Error(`no line ${name}`);
  return proxy;
}

serveParent({
  open: async (input: { name: string; host: string; port: number; seed: number }) => {
    const random = new SeededRandom(input.seed);
    const proxy = await FaultProxy.open({ host: input.host, port: input.port }, () => random.next());
    proxies.set(input.name, proxy);
    return proxy.port;
  },
  set: (input: { name: string; fault: LineFault }) => proxyOf(input.name).set(input.fault),
  lostCommits: () => [...proxies.values()].reduce((sum, proxy) => sum + proxy.lostCommits, 0),
});
