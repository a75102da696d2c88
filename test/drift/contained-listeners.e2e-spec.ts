import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '../..');
const SERVER = join(ROOT, 'server');

/** Methods that attach listeners to a connection, a server, a stream or a client of a store. */
const LISTENS = new Set([
  'on',
  'once',
  'addListener',
  'prependListener',
  'prependOnceListener',
  'addEventListener',
]);
/** Emitters that are no connections: their events carry no external data. */
const NO_CONNECTIONS: ReadonlySet<string> = new Set([
  // Changes of rows, published by our own code, each listener of which only forgets or refreshes.
  'feed',
  'this.feed',
  'changes',
  'this',
  // Signals, and orders of the supervisor.
  'process',
  // Threads of ours; what they say is ours too.
  'worker',
  'thread',
  'parentPort',
  // Makes a description of a schema.
  'Schema',
]);
/** Listeners that contain by themselves, or hand on to who does. */
const BY_THEMSELVES: ReadonlySet<string> = new Set([
  // `deliver` catches: a closure for each read would cost as much as the read.
  "server/infra/sockets/socket-buffers.ts 'data'",
  // A reply is no emitter: the code behind it contains (raw-reply.ts, fast-path-connection.ts).
  "server/gateway/relay/reply-sink.ts 'drain'",
  "server/gateway/relay/reply-sink.ts 'close'",
]);
/** Programs and the process that starts workers: no client's call runs there. */
const OTHER_PROGRAMS = ['process/supervisor/', 'cli/'];
/** Calls of these contain whatever their argument throws. */
const GUARDS = /^(?:contained|containFaults|this\.guard|this\.guarded)$/;

interface Listener {
  readonly place: string;
  /** Without the line. */
  readonly name: string;
  readonly isContained: boolean;
}

const sources = readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter(
  (name) =>
    name.endsWith('.ts') &&
    !name.endsWith('.spec.ts') &&
    !OTHER_PROGRAMS.some((folder) => name.startsWith(folder)),
);

function listenersIn(name: string): readonly Listener[] {
  const file = join(SERVER, name);
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Listener[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { expression, name: method } = node.expression;
      const [event, listener] = node.arguments;
      const isListening =
        LISTENS.has(method.text) &&
        listener !== undefined &&
        event !== undefined &&
        !NO_CONNECTIONS.has(expression.getText(source));
      if (isListening) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
        const told = event.getText(source);
        found.push({
          place: `${relative(ROOT, file)}:${line + 1} ${told}`,
          name: `${relative(ROOT, file)} ${told}`,
          isContained: isContained(listener, source),
        });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** True for a guard's result, a function that is one call of a guard, or a name in the same file that stands for either. */
function isContained(node: ts.Node, source: ts.SourceFile): boolean {
  if (ts.isCallExpression(node)) return GUARDS.test(node.expression.getText(source));
  if (ts.isArrowFunction(node)) return isContained(node.body, source);
  const name = ts.isIdentifier(node)
    ? node.text
    : ts.isPropertyAccessExpression(node) && node.expression.kind === ts.SyntaxKind.ThisKeyword
      ? node.name.text
      : undefined;
  if (name === undefined) return false;
  const meant: ts.Expression[] = [];
  const visit = (inner: ts.Node): void => {
    const isDeclared = ts.isVariableDeclaration(inner) || ts.isPropertyDeclaration(inner);
    if (isDeclared && inner.name.getText(source) === name && inner.initializer !== undefined)
      meant.push(inner.initializer);
    ts.forEachChild(inner, visit);
  };
  visit(source);
  return meant.length > 0 && meant.every((initializer) => isContained(initializer, source));
}

describe('listeners of connections', () => {
  const listeners = sources.flatMap(listenersIn);

  it('finds them', () => {
    expect(listeners.length).toBeGreaterThan(50);
    for (const event of ["'upgrade'", "'connection'", "'request'", "'data'", "'message'", "'error'"])
      expect(listeners.some(({ place }) => place.endsWith(event))).toBe(true);
  });

  it('handle every listener’s error at its connection, and never in the process', () => {
    const loose = listeners.filter(
      ({ isContained: isGuarded, name }) => !isGuarded && !BY_THEMSELVES.has(name),
    );
    expect(loose.map(({ place }) => place)).toEqual([]);
    const names = new Set(listeners.map(({ name }) => name));
    expect([...BY_THEMSELVES].filter((name) => !names.has(name))).toEqual([]);
  });

  it('distinguishes them from uncontained ones', () => {
    const text = [
      "socket.on('data', (bytes) => take(bytes));",
      "socket.on('data', contained(take));",
      "socket.on('data', (bytes) => containFaults(() => take(bytes), cut));",
      'const named = contained(take);',
      "socket.on('data', named);",
      'const plain = () => take();',
      "socket.on('data', plain);",
      "socket.on('data', unknown);",
    ].join('\n');
    const source = ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest, true);
    const verdicts: boolean[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && node.expression.getText(source) === 'socket.on')
        verdicts.push(isContained(node.arguments[1] as ts.Node, source));
      ts.forEachChild(node, visit);
    };
    visit(source);
    expect(verdicts).toEqual([false, true, true, true, false, false]);
  });
});
