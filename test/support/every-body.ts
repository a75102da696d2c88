const FORMS = /\/images\/(?:edits|variations)$|\/audio\/trans/;

/** A route of the relay as a client writes its address, with `{model}` for the model. */
export const clientPath = (path: string): string =>
  path.replace(/:model(?:\(\^\.\+\))?/, '{model}').replace('::', ':');

/** Returns true for an address that takes a form instead of JSON. */
export const takesForm = (path: string): boolean => FORMS.test(path);

/** One body for all routes with JSON: each finds in it what the others do not know. */
export function everyBody(model: string, text: string): Record<string, unknown> {
  return {
    model,
    max_tokens: 5,
    messages: [{ role: 'user', content: text }],
    input: text,
    voice: 'alloy',
    prompt: text,
    query: text,
    documents: [text],
    contents: [{ role: 'user', parts: [{ text }] }],
    content: { parts: [{ text }] },
    requests: [{ model: `models/${model}`, content: { parts: [{ text }] } }],
    instances: [{ prompt: text }],
  };
}

/** One form for all routes with forms. */
export function everyForm(model: string, text: string): FormData {
  const form = new FormData();
  form.set('model', model);
  form.set('prompt', text);
  form.set('image', new File([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')], 'a.png', { type: 'image/png' }));
  form.set('file', new File([Buffer.alloc(1_000)], 'a.wav', { type: 'audio/wav' }));
  return form;
}
