/**
 * The browser the console's component tests run in: jsdom, with the check whether a style rule concerns an element made
 * cheap. Every query by role asks for the computed style of many elements, and jsdom asks its selector engine about every
 * rule of every sheet for each of them: a third of the time of these tests. What the last part of a selector demands of
 * the element itself, a tag or classes, refuses nearly all of them; only the rest is asked as before.
 */
const selectors = require('jsdom/lib/jsdom/living/helpers/selectors.js');

const ask = selectors.matchesDontThrow;

/** A selector without what stands in quotes and brackets, which may hold commas and dots of its own. */
function outline(selector) {
  let text = selector.replaceAll(/"[^"]*"|'[^']*'/g, '');
  for (let before = ''; before !== text;) {
    before = text;
    text = text.replaceAll(/\([^()]*\)|\[[^[\]]*\]/g, '/');
  }
  return text;
}

/** What one alternative of a selector demands of the element itself. `isWhole`: it demands nothing else. */
function demandsOf(alternative) {
  const text = alternative.trim();
  const last = text.split(/[\s>+~]+/).at(-1) ?? '';
  const tag = /^[a-zA-Z][\w-]*/.exec(last)?.[0].toLowerCase();
  const classes = [...last.matchAll(/\.([\w-]+)/g)].map(([, name]) => name);
  return { tag, classes, isWhole: /^(?:[a-zA-Z][\w-]*|(?:\.[\w-]+)+)$/.test(text) };
}

const known = new Map();

/** @returns what each alternative demands; null = this selector has to be asked about */
function readSelector(selector) {
  let read = known.get(selector);
  if (read === undefined) {
    read = selector.includes('\\') ? null : outline(selector).split(',').map(demandsOf);
    known.set(selector, read);
  }
  return read;
}

function classesOf(element) {
  const text = element.getAttributeNS(null, 'class');
  return text === null || text === '' ? [] : text.split(/\s+/);
}

selectors.matchesDontThrow = (element, selector) => {
  // A rule that has none, such as @keyframes, concerns no element.
  if (typeof selector !== 'string') return false;
  const alternatives = readSelector(selector);
  if (alternatives === null) return ask(element, selector);
  let classes;
  for (const { tag, classes: demanded, isWhole } of alternatives) {
    if (tag !== undefined && tag !== element._localName) continue;
    if (demanded.length > 0) {
      classes ??= classesOf(element);
      if (!demanded.every((name) => classes.includes(name))) continue;
    }
    return isWhole || ask(element, selector);
  }
  return false;
};
