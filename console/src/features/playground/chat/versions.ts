import type { ChatMessage } from './messages';

export interface VersionNode {
  readonly message: ChatMessage;
  /** Id of the message before it; null = the first. */
  readonly parent: string | null;
}

/** All versions of a conversation. Edited questions and repeated answers are siblings; the leaf names the path that is shown. */
export interface VersionTree {
  readonly nodes: readonly VersionNode[];
  readonly leaf: string | null;
}

export const EMPTY_TREE: VersionTree = { nodes: [], leaf: null };

/** Adds a path or renews its messages; the path is shown from then on. */
export function withPath({ nodes }: VersionTree, path: readonly ChatMessage[]): VersionTree {
  const next = new Map(nodes.map((node) => [node.message.id, node]));
  let parent: string | null = null;
  for (const message of path) {
    next.set(message.id, { message, parent });
    parent = message.id;
  }
  return { nodes: [...next.values()], leaf: parent };
}

/** Messages from the first to the leaf. An imported file may have a circle: each message stands once. */
export function shownPath({ nodes, leaf }: VersionTree): ChatMessage[] {
  const byId = new Map(nodes.map((node) => [node.message.id, node]));
  const path: ChatMessage[] = [];
  for (let id = leaf; id !== null;) {
    const node = byId.get(id);
    if (node === undefined) break;
    byId.delete(id);
    path.unshift(node.message);
    id = node.parent;
  }
  return path;
}

/** Ids of all versions of a message, itself among them, oldest first. */
export function versionsOf({ nodes }: VersionTree, id: string): readonly string[] {
  const own = nodes.find(({ message }) => message.id === id);
  if (own === undefined) return [id];
  return nodes
    .filter(({ message, parent }) => parent === own.parent && message.role === own.message.role)
    .map(({ message }) => message.id);
}

/** The same tree with this version shown, and below it the newest of what followed. */
export function showVersion(tree: VersionTree, id: string): VersionTree {
  const seen = new Set<string>();
  let leaf = id;
  for (;;) {
    seen.add(leaf);
    const next = tree.nodes.findLast(({ message, parent }) => parent === leaf && !seen.has(message.id));
    if (next === undefined) return { ...tree, leaf };
    leaf = next.message.id;
  }
}
