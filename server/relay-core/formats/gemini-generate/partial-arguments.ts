import { documentOf, isDocument, listOf, textOf, type Document } from '../shared/fields/json-fields.js';

/** Places of lists beyond this are no arguments: only memory would be had of them. */
const MAX_INDEX = 9_999;
const MAX_DEPTH = 64;
const STEP = /\.([^.[\]]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/gy;

/**
 * Arguments of a call that come in pieces by JSON path (Vertex, `streamFunctionCallArguments`): texts of the same path
 * that go on are joined, other values are whole. Fixture: google-vertex-stream-tool-call-arguments-nested.
 */
export class PartialArguments {
  private readonly root: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  private openPath: string | undefined;

  /** @param pieces  `functionCall.partialArgs` */
  add(pieces: unknown): void {
    for (const item of listOf(pieces)) this.addPiece(documentOf(item));
  }

  json(): string {
    return JSON.stringify(this.root);
  }

  private addPiece(piece: Document): void {
    const path = textOf(piece['jsonPath']);
    if (path === undefined) return;
    const goesOn = this.openPath === path;
    this.openPath = piece['willContinue'] === true ? path : undefined;
    const steps = readPath(path);
    if (steps === undefined) return;
    const value = valueOf(piece);
    if (value === undefined) return;
    place(this.root, steps, (before) =>
      goesOn && typeof before === 'string' && typeof value === 'string' ? before + value : value,
    );
  }
}

function valueOf(piece: Document): unknown {
  if (typeof piece['stringValue'] === 'string') return piece['stringValue'];
  if (typeof piece['numberValue'] === 'number') return piece['numberValue'];
  if (typeof piece['boolValue'] === 'boolean') return piece['boolValue'];
  return 'nullValue' in piece ? null : undefined;
}

/** `$.a[0]['b c']` → `a`, 0, `b c`; undefined when it cannot be read. */
function readPath(path: string): readonly (string | number)[] | undefined {
  if (!path.startsWith('$')) return undefined;
  const steps: (string | number)[] = [];
  STEP.lastIndex = 1;
  while (STEP.lastIndex < path.length) {
    const match = STEP.exec(path);
    if (match === null || steps.length === MAX_DEPTH) return undefined;
    const [, name, index, single, double] = match;
    if (index === undefined) steps.push(name ?? (single ?? double ?? '').replace(/\\(.)/g, '$1'));
    else if (Number(index) <= MAX_INDEX) steps.push(Number(index));
    else return undefined;
  }
  return steps.length === 0 ? undefined : steps;
}

type Container = Record<string, unknown> | unknown[];

function place(
  root: Container,
  steps: readonly (string | number)[],
  change: (before: unknown) => unknown,
): void {
  let at = root;
  for (const [position, step] of steps.entries()) {
    if (typeof step === 'number' && !Array.isArray(at)) return;
    const inside = at as Record<string | number, unknown>;
    const next = steps[position + 1];
    if (next === undefined) {
      inside[step] = change(inside[step]);
      return;
    }
    const before = inside[step];
    if (isDocument(before) || Array.isArray(before)) at = before as Container;
    else {
      const made: Container =
        typeof next === 'number' ? [] : (Object.create(null) as Record<string, unknown>);
      inside[step] = made;
      at = made;
    }
  }
}
