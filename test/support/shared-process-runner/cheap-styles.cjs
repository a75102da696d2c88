/**
 * The browser the console's component tests run in: jsdom, with what an element looks like made cheap. Every query by role asks for the
 * computed style of many elements, and jsdom asks its selector engine about every rule of every sheet for each of them: a third of the
 * time of these tests. Here rules are found by what the last part of their selector demands of the element itself, a class or
 * a tag, and what was computed for an element is kept until the page changes.
 */
const selectors = require('jsdom/lib/jsdom/living/helpers/selectors.js');
const styles = require('jsdom/lib/jsdom/living/helpers/style-rules.js');
const cssom = require('rrweb-cssom');
const { CSSStyleDeclaration } = require('cssstyle');
const { implForWrapper } = require('jsdom/lib/jsdom/living/generated/utils.js');
const defaultStyleSheet = require('jsdom/lib/jsdom/browser/default-stylesheet.js');

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

/** @returns whether a rule concerns an element of which it is known that it could */
function matches(element, { selector, alternatives }) {
  if (alternatives === null) return selectors.matchesDontThrow(element, selector);
  let classes;
  for (const { tag, classes: demanded, isWhole } of alternatives) {
    if (tag !== undefined && tag !== element._localName) continue;
    if (demanded.length > 0) {
      classes ??= classesOf(element);
      if (!demanded.every((name) => classes.includes(name))) continue;
    }
    return isWhole || selectors.matchesDontThrow(element, selector);
  }
  return false;
}

/** Where a rule is looked for: by one class of each alternative, else by its tag, else at every element. */
function keysOf(alternatives) {
  if (alternatives === null) return ['*'];
  return [
    ...new Set(
      alternatives.map(({ tag, classes: [name] }) => (name === undefined ? (tag ?? '*') : `.${name}`)),
    ),
  ];
}

function* rulesOf(sheet) {
  for (const rule of sheet.cssRules) {
    if (rule.media === undefined) yield rule;
    else if (Array.from(rule.media).includes('screen')) yield* rule.cssRules;
  }
}

const defaultSheet = cssom.parse(defaultStyleSheet);

class RuleIndex {
  sheets = [];
  lengths = [];
  rules = new Map();
  count = 0;

  constructor(sheets) {
    this.add(defaultSheet);
    for (const sheet of sheets) this.follow(sheet);
  }

  /** @returns whether these are the sheets known so far, and perhaps more behind them, which are known from now on */
  isOf(sheets) {
    if (sheets.length < this.sheets.length) return false;
    for (let at = 0; at < this.sheets.length; at += 1)
      if (this.sheets[at] !== sheets[at] || this.lengths[at] !== sheets[at].cssRules.length) return false;
    for (let at = this.sheets.length; at < sheets.length; at += 1) this.follow(sheets[at]);
    return true;
  }

  follow(sheet) {
    this.sheets.push(sheet);
    this.lengths.push(sheet.cssRules.length);
    this.add(sheet);
  }

  add(sheet) {
    for (const { selectorText: selector, style } of rulesOf(sheet)) {
      // A rule that has none, such as @keyframes, concerns no element.
      if (typeof selector !== 'string') continue;
      const alternatives = readSelector(selector);
      const rule = { order: this.count, selector, alternatives, style };
      this.count += 1;
      for (const key of keysOf(alternatives)) {
        const rules = this.rules.get(key);
        if (rules === undefined) this.rules.set(key, [rule]);
        else rules.push(rule);
      }
    }
  }

  /** In the order in which they stand in the sheets. */
  concerning(element) {
    const found = new Set();
    const keys = ['*', element._localName, ...classesOf(element).map((name) => `.${name}`)];
    for (const key of keys)
      for (const rule of this.rules.get(key) ?? []) if (matches(element, rule)) found.add(rule);
    return [...found].sort((one, other) => one.order - other.order);
  }
}

const indexes = new WeakMap();

function indexOf(document) {
  const sheets = document.styleSheets._list;
  let index = indexes.get(document);
  if (index === undefined || !index.isOf(sheets)) {
    index = new RuleIndex(sheets);
    indexes.set(document, index);
  }
  return index;
}

function copyInto(declaration, style) {
  for (let at = 0; at < style.length; at += 1) {
    const property = style[at];
    const value = style.getPropertyValue(property);
    if (value === 'unset') declaration.removeProperty(property);
    else declaration.setProperty(property, value, style.getPropertyPriority(property));
  }
}

/** jsdom throws this away with every change of the page. */
const cacheOf = (document) => (document._styleCache ??= new WeakMap());

styles.getDeclarationForElement = (element) => {
  const document = element._ownerDocument;
  const known = cacheOf(document).get(element);
  if (known !== undefined) return known;
  const declaration = new CSSStyleDeclaration();
  for (const { style } of indexOf(document).concerning(element)) copyInto(declaration, style);
  copyInto(declaration, element.style);
  cacheOf(document).set(element, declaration);
  return declaration;
};

/** Computed styles by what jsdom keeps of the page as it is now. */
const computed = new WeakMap();

/** To be called once for a window. */
exports.keepComputedStyles = (window) => {
  const { getComputedStyle } = window;
  window.getComputedStyle = (element, pseudoElement) => {
    const implementation = implForWrapper(element);
    if (pseudoElement || !implementation?._attached) return getComputedStyle(element, pseudoElement);
    const cache = cacheOf(implementation._ownerDocument);
    let styles = computed.get(cache);
    if (styles === undefined) computed.set(cache, (styles = new WeakMap()));
    let style = styles.get(element);
    if (style === undefined) styles.set(element, (style = getComputedStyle(element)));
    return style;
  };
};
