export const CODE_LANGUAGES = [
  { id: 'curl', name: 'curl' },
  { id: 'python', name: 'Python' },
  { id: 'node', name: 'Node.js' },
] as const;

export type CodeLanguage = (typeof CODE_LANGUAGES)[number]['id'];

interface CodeInput {
  /** Address of the gateway without /v1. */
  readonly address: string;
  readonly keyText: string;
  /** Body of a chat call as the playground sends it. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The same call as a program makes it: without the group, which belongs to the API key, and without "no limit". */
export function codeOfRequest(language: CodeLanguage, { address, keyText, body }: CodeInput): string {
  const base = `${address}/v1`;
  const { group: _group, max_tokens: maxTokens, ...rest } = body;
  const sent = maxTokens === 0 || maxTokens === undefined ? rest : { ...rest, max_tokens: maxTokens };
  const { stream: _stream, ...members } = sent;
  switch (language) {
    case 'curl':
      return [
        `curl -N ${base}/chat/completions \\`,
        `  -H "Authorization: Bearer ${keyText}" \\`,
        `  -H "Content-Type: application/json" \\`,
        `  -d '${JSON.stringify(sent, null, 2).replaceAll("'", "'\\''")}'`,
      ].join('\n');
    case 'python':
      return [
        '# pip install openai',
        'from openai import OpenAI',
        '',
        `client = OpenAI(base_url=${JSON.stringify(base)}, api_key=${JSON.stringify(keyText)})`,
        'stream = client.chat.completions.create(',
        ...Object.entries(members).map(([name, value]) => `    ${name}=${pythonOf(value, 4)},`),
        '    stream=True,',
        ')',
        'for chunk in stream:',
        '    if chunk.choices and chunk.choices[0].delta.content:',
        '        print(chunk.choices[0].delta.content, end="", flush=True)',
      ].join('\n');
    case 'node':
      return [
        '// npm install openai',
        "import OpenAI from 'openai';",
        '',
        `const client = new OpenAI({ baseURL: ${JSON.stringify(base)}, apiKey: ${JSON.stringify(keyText)} });`,
        `const stream = await client.chat.completions.create(${JSON.stringify({ ...members, stream: true }, null, 2)});`,
        'for await (const chunk of stream)',
        "  process.stdout.write(chunk.choices[0]?.delta?.content ?? '');",
      ].join('\n');
  }
}

/** A JSON value as a Python literal. */
function pythonOf(value: unknown, indent: number): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const [inner, outer] = [' '.repeat(indent + 4), ' '.repeat(indent)];
  if (Array.isArray(value)) {
    const items = (value as unknown[]).map((item) => `${inner}${pythonOf(item, indent + 4)},\n`);
    return items.length === 0 ? '[]' : `[\n${items.join('')}${outer}]`;
  }
  const members = Object.entries(value).map(
    ([name, member]) => `${inner}${JSON.stringify(name)}: ${pythonOf(member, indent + 4)},\n`,
  );
  return members.length === 0 ? '{}' : `{\n${members.join('')}${outer}}`;
}
