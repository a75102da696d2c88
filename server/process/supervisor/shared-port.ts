import type { ChildProcess, SendHandle } from 'node:child_process';
import { tracingChannel } from 'node:diagnostics_channel';
import type { Server } from 'node:net';
import { whenNothingWaits } from '../../http/waiting-connections.js';

/** What Node listens with. It has no public name; without it the port is closed by the last worker, as Node does it. */
interface ListenHandle {
  onconnection: ((...connection: unknown[]) => void) | null;
  close(): void;
}

/** How Node hands a connection to a worker, and how the worker says that it has it. */
interface HandOver {
  readonly cmd?: unknown;
  readonly act?: unknown;
  readonly seq?: unknown;
}
interface Receipt {
  readonly ack?: unknown;
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

  /**
   * Remembers what a worker was handed and did not take yet. Node forgets it when the worker dies: the connection stays open here, for as
   * long as its client waits, and nobody ever answers it. It is handed to another worker, or closed where there is no way.
   */
  follow(child: ChildProcess): void {
    const onTheWay = new Map<unknown, ListenHandle>();
    const send = child.send.bind(child) as (...words: unknown[]) => boolean;
    child.send = (message: unknown, handle?: unknown, ...rest: unknown[]): boolean => {
      const { cmd, act, seq } = message as HandOver;
      if (cmd === 'NODE_CLUSTER' && act === 'newconn' && handle) onTheWay.set(seq, handle as ListenHandle);
      return send(message, handle as SendHandle, ...rest);
    };
    child.on('internalMessage', ({ ack }: Receipt) => onTheWay.delete(ack));
    // After Node, too, has heard that it is gone.
    child.on('exit', () =>
      setImmediate(() => {
        for (const connection of onTheWay.values()) this.handOut(connection);
      }),
    );
  }

  close(): void {
    for (const handle of this.handles) void closeWhenEmpty(handle);
    this.handles.clear();
  }

  private handOut(connection: ListenHandle): void {
    const [port] = this.handles;
    if (this.handles.size === 1 && port?.onconnection) port.onconnection(0, connection);
    else connection.close();
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
