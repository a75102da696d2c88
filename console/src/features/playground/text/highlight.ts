import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import lua from 'highlight.js/lib/languages/lua';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';

const lowlight = createLowlight({
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  lua,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
});

/** A longer text stays plain: colouring it would hold up the page. */
const MAX_CHARACTERS = 50_000;

/** A run of text with its class of highlight.js; empty = plain. */
export interface Run {
  readonly text: string;
  readonly className: string;
}

type Node = ReturnType<typeof lowlight.highlight>['children'][number];

/** Runs of a code text; undefined for a language that has no colours here. */
export function highlight(code: string, language: string): readonly Run[] | undefined {
  if (!lowlight.registered(language) || code.length > MAX_CHARACTERS) return undefined;
  const runs: Run[] = [];
  const walk = (nodes: readonly Node[], outer: string): void => {
    for (const node of nodes)
      if (node.type === 'text') runs.push({ text: node.value, className: outer });
      else if (node.type === 'element') {
        const names = node.properties['className'];
        walk(node.children as readonly Node[], Array.isArray(names) ? names.join(' ') : outer);
      }
  };
  walk(lowlight.highlight(language, code).children, '');
  return runs;
}
