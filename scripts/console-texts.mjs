import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';
import { TERMS } from './console-terms.mjs';

const FOLDER = 'console/src/i18n';
const PLACEHOLDER = /\{\{(\w+)\}\}/g;
const HAN = '[\\u4e00-\\u9fff]';
/** Texts that continue a sentence between two values. */
const JOINTS = ['legal.inSentence.and', 'prices.draft.separator'];
/** Words that keep their capital inside an English text. */
const NAMES = new Set(
  (
    'OpenAI Responses Messages Gemini Claude Anthropic WeChat Pay Alipay Google Search Ctrl Enter Esc Shift Telegram GitHub ' +
    'Linux Stripe Markdown Redis Uptime Kuma Webhook Chinese English Turnstile Python Node Monday Keycloak Authentik Entra ' +
    'Midjourney Suno BotFather Cloudflare Enterprise Cursor Codex AppId'
  ).split(' '),
);
/** Titles and labels, which are short; longer texts are sentences. */
const LABEL_WORDS = 6;

/** Rules of one text in any language: name, test, sentence. */
const RULES = [
  {
    name: 'no-outer-blanks',
    isBroken: (text, id) => !JOINTS.includes(id) && text !== text.trim(),
    sentence: 'begins or ends with a blank',
  },
  { name: 'no-empty-text', isBroken: (text) => text === '', sentence: 'is empty' },
  { name: 'single-blanks', isBroken: (text) => /\S {2,}\S/.test(text), sentence: 'has two blanks in a row' },
  { name: 'one-ellipsis', isBroken: (text) => text.includes('...'), sentence: 'writes … as three dots' },
];

const LANGUAGE_RULES = {
  en: [
    {
      name: 'typographic-quotes',
      isBroken: (text) => /\w'\w|\w' |"/.test(text.replace(/\{"[^}]*\}/g, '')),
      sentence: 'takes ’ and “ ”',
    },
    { name: 'no-han', isBroken: (text) => new RegExp(HAN).test(text), sentence: 'holds Chinese characters' },
    {
      name: 'sentence-case',
      isBroken: (text, id) => id !== 'shell.festive' && hasTitleCase(text),
      sentence: 'has one capital, at the beginning; names stand in scripts/console-texts.mjs',
    },
  ],
  zh: [
    {
      name: 'full-width-punctuation',
      isBroken: (text) =>
        new RegExp(`${HAN}[,;!?()]|[,;!?(]${HAN}|${HAN}\\.(?!\\w)|${HAN}:(?!${HAN}|\\w|\\*)`).test(
          text.replace(/\[[^\]]*\]/g, ''),
        ),
      sentence: 'takes full-width punctuation beside Chinese characters',
    },
    {
      name: 'blank-beside-latin',
      isBroken: (text) =>
        new RegExp(`${HAN}[A-Za-z0-9]|[A-Za-z0-9%]${HAN}`).test(text.replace(/\{\{?\w+\}?\}/g, '')),
      sentence: 'has a blank between Chinese characters and Latin letters or digits',
    },
    {
      name: 'no-blank-beside-full-width',
      isBroken: (text) => / [，。：；！？）、]|[，。：；！？（、] /.test(text),
      sentence: 'has no blank beside full-width punctuation',
    },
  ],
};

function hasTitleCase(text) {
  const words = text.replace(PLACEHOLDER, '').split(/\s+/);
  if (words.length > LABEL_WORDS || /[.!?:]\s/.test(text)) return false;
  return words.slice(1).some((word) => {
    const bare = word.replace(/[^\w]/g, '');
    return /^[A-Z][a-z]+$/.test(bare) && !NAMES.has(bare);
  });
}

/** Texts of a file by their ids, and the keys that it has twice. JSON.parse keeps the last of two without an error. */
function readTexts(file, text) {
  const name = basename(file, '.json');
  const root = ts.parseJsonText(file, text).statements[0]?.expression;
  const texts = new Map();
  const twice = [];
  const visit = (node, prefix) => {
    const seen = new Set();
    for (const { name: key, initializer } of node.properties) {
      const id = `${prefix}.${key.text}`;
      if (seen.has(key.text)) twice.push(id);
      seen.add(key.text);
      if (ts.isObjectLiteralExpression(initializer)) visit(initializer, id);
      else texts.set(id, initializer.text);
    }
  };
  visit(root, name);
  return { texts, twice };
}

const placeholdersOf = (text) =>
  [...text.matchAll(PLACEHOLDER)]
    .map(([, name]) => name)
    .toSorted()
    .join(' ');

const isExcepted = (id, except = []) => except.some((part) => id === part || id.startsWith(`${part}.`));

function faultsOfText(language, id, text) {
  const broken = RULES.concat(LANGUAGE_RULES[language] ?? []).filter(({ isBroken }) => isBroken(text, id));
  return broken.map(({ name, sentence }) => `${name}: ${sentence}`).concat(termFaults(language, id, text));
}

/** Words of a text that the console has another word for. Placeholders have one or two braces. */
export function termFaults(language, id, text) {
  const plain = text.replace(PLACEHOLDER, 'X').replace(/\{\w+\}/g, 'X');
  return (TERMS[language] ?? [])
    .filter(({ not, except }) => not.test(plain) && !isExcepted(id, except))
    .map(({ use, not }) => `one-word: “${not.exec(plain)[0]}” is “${use}”`);
}

/** A `_one` text has its `_other`, with the same placeholders or none, since one needs no count. */
function pluralFaults(texts) {
  return [...texts].flatMap(([id, text]) => {
    if (!id.endsWith('_one')) return [];
    const other = texts.get(id.replace(/_one$/, '_other'));
    if (other === undefined) return [[id, 'plural-pair: has no _other']];
    const own = placeholdersOf(text);
    return own === '' || own === placeholdersOf(other)
      ? []
      : [[id, 'plural-pair: has other placeholders than _other']];
  });
}

/** Differences between a language and the first one. */
function differences(first, other) {
  const missing = [...first.keys()].filter((id) => !other.has(id)).map((id) => [id, 'same-keys: is missing']);
  const extra = [...other.keys()].filter((id) => !first.has(id)).map((id) => [id, 'same-keys: is extra']);
  const filled = [...first]
    .filter(([id, text]) => other.has(id) && placeholdersOf(text) !== placeholdersOf(other.get(id)))
    .map(([id]) => [id, 'same-placeholders: has other placeholders']);
  return missing.concat(extra, filled);
}

/**
 * @param {Readonly<Record<string, Readonly<Record<string, string>>>>} files text of each file by its name, by language; the first
 *   language is the one the others are compared with
 * @returns {string[]} one line per fault: place, rule, sentence
 */
export function consoleTextFaults(files) {
  const [first, ...others] = Object.keys(files);
  const faults = [];
  const all = new Map();
  for (const [language, named] of Object.entries(files)) {
    const texts = new Map();
    all.set(language, texts);
    for (const [file, text] of Object.entries(named)) {
      const read = readTexts(file, text);
      for (const id of read.twice) faults.push(`${language} ${id}: no-key-twice: stands twice in its file`);
      for (const [id, value] of read.texts) texts.set(id, value);
    }
    for (const [id, text] of texts)
      for (const fault of faultsOfText(language, id, text)) faults.push(`${language} ${id}: ${fault}`);
    for (const [id, fault] of pluralFaults(texts)) faults.push(`${language} ${id}: ${fault}`);
  }
  for (const language of others)
    for (const [id, fault] of differences(all.get(first), all.get(language)))
      faults.push(`${language} ${id}: ${fault}`);
  return faults;
}

/** The texts of the console, by language and file. */
export function readConsoleTexts(root) {
  return Object.fromEntries(
    ['en', 'zh'].map((language) => [
      language,
      Object.fromEntries(
        globSync(`${FOLDER}/${language}/*.json`, { cwd: root })
          .toSorted()
          .map((file) => [basename(file), readFileSync(join(root, file), 'utf8')]),
      ),
    ]),
  );
}
