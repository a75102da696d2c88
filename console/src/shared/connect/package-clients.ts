import {
  type ConnectClient,
  type ConnectInput,
  type ConnectPart,
  command,
  envLines,
  file,
  quoted,
} from './connect-client.ts';

const QUESTION = '"Hello!"';
const PYTHON_FILE = 'first_call.py';
const NODE_FILE = 'first-call.mjs';

/** Python reads the key from the environment, which the shell fills from the file. */
const python =
  (
    env: (input: ConnectInput) => Readonly<Record<string, string>>,
    install: string,
    code: (input: ConnectInput) => readonly string[],
  ) =>
  (input: ConnectInput): readonly ConnectPart[] => [
    file('.env', envLines(env(input))),
    file(PYTHON_FILE, code(input)),
    command(`pip install ${install}`, `set -a; . ./.env; set +a; python ${PYTHON_FILE}`),
  ];

/** Node reads the file itself. */
const node =
  (
    env: (input: ConnectInput) => Readonly<Record<string, string>>,
    install: string,
    code: (input: ConnectInput) => readonly string[],
  ) =>
  (input: ConnectInput): readonly ConnectPart[] => [
    file('.env', envLines(env(input))),
    file(NODE_FILE, code(input)),
    command(`npm install ${install}`, `node --env-file=.env ${NODE_FILE}`),
  ];

const openaiEnv = ({ address, key }: ConnectInput) => ({
  OPENAI_BASE_URL: `${address}/v1`,
  OPENAI_API_KEY: key,
});
const anthropicEnv = ({ address, key }: ConnectInput) => ({
  ANTHROPIC_BASE_URL: address,
  ANTHROPIC_API_KEY: key,
});
const googleEnv = ({ address, key }: ConnectInput) => ({
  GOOGLE_GEMINI_BASE_URL: address,
  GEMINI_API_KEY: key,
});

const tested = (version: string) => ({ kind: 'tested', version }) as const;

/** Packages of Python and Node, and curl. */
export const PACKAGE_CLIENTS: readonly ConnectClient[] = [
  {
    id: 'curl',
    name: 'curl',
    family: 'package',
    evidence: tested('7.88.1'),
    parts: ({ address, key, model }) => [
      file('first-call.curl', [
        `url = ${quoted(`${address}/v1/chat/completions`)}`,
        `header = ${quoted(`Authorization: Bearer ${key}`)}`,
        'header = "Content-Type: application/json"',
        `data = ${quoted(JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello!' }] }))}`,
      ]),
      command('curl --config first-call.curl'),
    ],
  },
  {
    id: 'openai-python',
    name: 'OpenAI (Python)',
    family: 'package',
    evidence: tested('2.54.0'),
    parts: python(openaiEnv, 'openai', ({ model }) => [
      'from openai import OpenAI',
      '',
      'client = OpenAI()',
      'reply = client.chat.completions.create(',
      `    model=${quoted(model)},`,
      `    messages=[{"role": "user", "content": ${QUESTION}}],`,
      ')',
      'print(reply.choices[0].message.content)',
    ]),
  },
  {
    id: 'openai-node',
    name: 'OpenAI (Node.js)',
    family: 'package',
    evidence: tested('7.55.0'),
    parts: node(openaiEnv, 'openai', ({ model }) => [
      "import OpenAI from 'openai';",
      '',
      'const client = new OpenAI();',
      'const reply = await client.chat.completions.create({',
      `  model: ${quoted(model)},`,
      `  messages: [{ role: 'user', content: ${QUESTION} }],`,
      '});',
      'console.log(reply.choices[0].message.content);',
    ]),
  },
  {
    id: 'anthropic-python',
    prefers: /claude/i,
    name: 'Anthropic (Python)',
    family: 'package',
    evidence: tested('2.13.0'),
    parts: python(anthropicEnv, 'anthropic', ({ model }) => [
      'from anthropic import Anthropic',
      '',
      'client = Anthropic()',
      'reply = client.messages.create(',
      `    model=${quoted(model)},`,
      '    max_tokens=1024,',
      `    messages=[{"role": "user", "content": ${QUESTION}}],`,
      ')',
      'print("".join(block.text for block in reply.content if block.type == "text"))',
    ]),
  },
  {
    id: 'anthropic-node',
    prefers: /claude/i,
    name: 'Anthropic (Node.js)',
    family: 'package',
    evidence: tested('1.14.0'),
    parts: node(anthropicEnv, '@anthropic-ai/sdk', ({ model }) => [
      "import Anthropic from '@anthropic-ai/sdk';",
      '',
      'const client = new Anthropic();',
      'const reply = await client.messages.create({',
      `  model: ${quoted(model)},`,
      '  max_tokens: 1024,',
      `  messages: [{ role: 'user', content: ${QUESTION} }],`,
      '});',
      "console.log(reply.content.flatMap((block) => (block.type === 'text' ? block.text : [])).join(''));",
    ]),
  },
  {
    id: 'google-python',
    prefers: /gemini/i,
    name: 'Google GenAI (Python)',
    family: 'package',
    evidence: tested('2.34.0'),
    parts: python(googleEnv, 'google-genai', ({ model }) => [
      'from google import genai',
      '',
      'client = genai.Client()',
      'reply = client.models.generate_content(',
      `    model=${quoted(model)},`,
      `    contents=${QUESTION},`,
      ')',
      'print(reply.text)',
    ]),
  },
  {
    id: 'google-node',
    prefers: /gemini/i,
    name: 'Google GenAI (Node.js)',
    family: 'package',
    evidence: tested('3.1.0'),
    parts: node(googleEnv, '@google/genai', ({ model }) => [
      "import { GoogleGenAI } from '@google/genai';",
      '',
      'const client = new GoogleGenAI({ apiKey: process.env.GEMINI_API_KEY });',
      'const reply = await client.models.generateContent({',
      `  model: ${quoted(model)},`,
      `  contents: ${QUESTION},`,
      '});',
      'console.log(reply.text);',
    ]),
  },
  {
    id: 'langchain-python',
    name: 'LangChain (Python)',
    family: 'package',
    evidence: tested('1.7.4'),
    parts: python(openaiEnv, 'langchain-openai', ({ model }) => [
      'import os',
      '',
      'from langchain_openai import ChatOpenAI',
      '',
      `model = ChatOpenAI(model=${quoted(model)}, base_url=os.environ["OPENAI_BASE_URL"])`,
      `print(model.invoke(${QUESTION}).text)`,
    ]),
  },
  {
    id: 'langchain-node',
    name: 'LangChain (Node.js)',
    family: 'package',
    evidence: tested('1.6.0'),
    parts: node(openaiEnv, '@langchain/openai @langchain/core', ({ model }) => [
      "import { ChatOpenAI } from '@langchain/openai';",
      '',
      'const model = new ChatOpenAI({',
      `  model: ${quoted(model)},`,
      '  configuration: { baseURL: process.env.OPENAI_BASE_URL },',
      '});',
      `console.log((await model.invoke(${QUESTION})).text);`,
    ]),
  },
];
