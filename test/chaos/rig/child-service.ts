import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

interface Order {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

interface Answer {
  readonly id: number;
  readonly output?: unknown;
  readonly failure?: string;
}

type Methods = Readonly<Record<string, (input: never) => unknown>>;

/** In the child: answers the parent's orders, and ends with the parent. */
export function serveParent(methods: Methods): void {
  process.on('message', (order: Order) => {
    const answer = async (): Promise<Answer> => {
      const method = methods[order.name];
      if (method === undefined) throw new Error(`no method ${order.name}`);
      return { id: order.id, output: await method(order.input as never) };
    };
    answer().then(
      (done) => process.send?.(done),
      (error: unknown) => process.send?.({ id: order.id, failure: String(error) }),
    );
  });
  process.once('disconnect', () => process.exit(0));
}

const LOADER = join(import.meta.dirname, '../../support/register-typescript.mjs');

/** A part of the rig with an event loop of its own, so that it is not slow because another part is busy. */
export class ChildService {
  private readonly waiting = new Map<number, PromiseWithResolvers<unknown>>();
  private nextId = 1;

  private constructor(private readonly child: ChildProcess) {
    child.on('message', (answer: Answer) => {
      const waiter = this.waiting.get(answer.id);
      this.waiting.delete(answer.id);
      if (answer.failure === undefined) waiter?.resolve(answer.output);
      else waiter?.reject(new Error(answer.failure));
    });
    child.once('exit', (code, signal) => {
      for (const waiter of this.waiting.values())
        waiter.reject(new Error(`a part of the rig ended with ${code ?? signal}`));
      this.waiting.clear();
    });
  }

  /** @param file  a module of this folder that calls `serveParent` */
  static start(file: string): ChildService {
    return new ChildService(
      fork(join(import.meta.dirname, file), [], {
        execArgv: ['--import', LOADER],
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        serialization: 'advanced',
      }),
    );
  }

  /** Fails: with the child's words, or when it ended. */
  async ask<T>(name: string, input?: unknown): Promise<T> {
    const id = this.nextId;
    this.nextId += 1;
    const waiter = Promise.withResolvers<unknown>();
    this.waiting.set(id, waiter);
    this.child.send({ id, name, input } satisfies Order);
    return (await waiter.promise) as T;
  }

  stop(): void {
    this.child.kill('SIGKILL');
  }
}
