import { tracingChannel } from 'node:diagnostics_channel';
import type { Server } from 'node:net';
import { whenNothingWaits } from '../waiting-connections.js';

/** What Node listens with. It has no public name; without it the port is closed by the last worker, as Node does it. */
interface ListenHandle {
  onconnection: ((...connection: unknown[]) => void) | null;
  close(): void;
}

/**
 * The port of the workers, as the supervisor has it. Node takes connections in here, hands them out one after the other, and closes
 * the port when the last worker has let go of it: connections on their way to that worker, and those the system took in meanwhile,
 * are reset, and a call that was sent on one of them fails. So the supervisor closes the port itself, first; the workers let go of
 * it when they have what was taken in before.
 */
export class SharedPort {
  private readonly handles = new Set<ListenHandle>();

  /** Before the first worker starts. */
  watch(): void {
    tracingChannel('net.server.listen').asyncEnd.subscribe((message) => {
      const { server } = message as { readonly server: Server & { _handle?: ListenHandle | null } };
      if (server._handle) this.handles.add(server._handle);
    });
  }

  close(): void {
    for (const handle of this.handles) void closeWhenEmpty(handle);
    this.handles.clear();
  }
}

async function closeWhenEmpty(handle: ListenHandle): Promise<void> {
  await whenNothingWaits((listener) => {
    const take = handle.onconnection;
    handle.onconnection = (...connection) => {
      listener();
      take?.(...connection);
    };
  });
  handle.close();
}
