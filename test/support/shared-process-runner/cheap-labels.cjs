/**
 * Labels and what they are for, in jsdom, without walking the whole page for each: queries by label and by role ask every control for its
 * labels, jsdom asks every node of the page whether it is one, and each label looks through the page for its control.
 */
require('jsdom');
const { isLabelable } = require('jsdom/lib/jsdom/living/helpers/form-controls.js');
const NodeList = require('jsdom/lib/jsdom/living/generated/NodeList.js');

/** Of a control that stands in no page: jsdom's way. */
const inNoPage = (node) => node._ownerDocument !== node.getRootNode({});

const classOf = (name) => require(`jsdom/lib/jsdom/living/nodes/HTML${name}Element-impl.js`).implementation;

for (const name of ['Button', 'Input', 'Output', 'Select', 'TextArea']) {
  const { prototype } = classOf(name);
  const { get: look } = Object.getOwnPropertyDescriptor(prototype, 'labels');
  Object.defineProperty(prototype, 'labels', {
    configurable: true,
    get() {
      if (this._labels || !isLabelable(this) || inNoPage(this)) return look.call(this);
      const page = this._ownerDocument;
      this._labels = NodeList.createImpl(page._globalObject, [], {
        element: page,
        query: () => [...page.getElementsByTagName('label')].filter(({ control }) => control === this),
      });
      return this._labels;
    },
  });
}

const { prototype } = classOf('Label');
const { get: look } = Object.getOwnPropertyDescriptor(prototype, 'control');
Object.defineProperty(prototype, 'control', {
  configurable: true,
  get() {
    const id = this.getAttributeNS(null, 'for');
    if (id === null || id === '' || inNoPage(this)) return look.call(this);
    const control = this._ownerDocument.getElementById(id);
    return control !== null && isLabelable(control) ? control : null;
  },
});
