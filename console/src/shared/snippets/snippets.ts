/** Languages in which a first call is offered. */
export const SNIPPET_LANGUAGES = [
  { id: 'curl', name: 'curl' },
  { id: 'python', name: 'Python' },
  { id: 'node', name: 'Node.js' },
] as const;

export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number]['id'];

export interface SnippetInput {
  /** Address of the gateway without /v1. */
  address: string;
  /** With its sk- prefix. */
  keyText: string;
  model: string;
}

/** Code of a first call that runs as it stands. Values are written as JSON texts, which all three languages read. */
export function firstCall(language: SnippetLanguage, { address, keyText, model }: SnippetInput): string {
  const base = `${address}/v1`;
  switch (language) {
    case 'curl':
      return [
        `curl ${base}/chat/completions \\`,
        `  -H "Authorization: Bearer ${keyText}" \\`,
        `  -H "Content-Type: application/json" \\`,
        `  -d '${JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello!' }] }).replaceAll("'", "'\\''")}'`,
      ].join('\n');
    case 'python':
      return [
        '# pip install openai',
        'from openai import OpenAI',
        '',
        `client = OpenAI(base_url=${JSON.stringify(base)}, api_key=${JSON.stringify(keyText)})`,
        'reply = client.chat.completions.create(',
        `    model=${JSON.stringify(model)},`,
        '    messages=[{"role": "user", "content": "Hello!"}],',
        ')',
        'print(reply.choices[0].message.content)',
      ].join('\n');
    case 'node':
      return [
        '// npm install openai',
        "import OpenAI from 'openai';",
        '',
        `const client = new OpenAI({ baseURL: ${JSON.stringify(base)}, apiKey: ${JSON.stringify(keyText)} });`,
        'const reply = await client.chat.completions.create({',
        `  model: ${JSON.stringify(model)},`,
        "  messages: [{ role: 'user', content: 'Hello!' }],",
        '});',
        'console.log(reply.choices[0].message.content);',
      ].join('\n');
  }
}
