import Box from '@mui/material/Box';
import type { Token, Tokens } from 'marked';
import { Fragment, memo, type ReactNode } from 'react';
import { CodeBlock } from './code-block';
import { Formula } from './formula';
import { RemoteImage } from './remote-image';

/** Addresses a link may have; others, such as `javascript:`, are shown without one. */
const LINKABLE = /^(?:https?:|mailto:|#|\/(?!\/))/i;

interface MarkdownProps {
  tokens: readonly Token[];
  /** Still arriving. */
  isOpen: boolean;
}

/** Tokens of Markdown as elements. None of them is HTML: HTML of a model is shown as the text it is. */
export function Markdown({ tokens, isOpen }: MarkdownProps) {
  return tokens.map((token, index) => (
    <Fragment key={index}>{elementOf(token, isOpen && index === tokens.length - 1)}</Fragment>
  ));
}

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const;

function elementOf(token: Token, isOpen: boolean): ReactNode {
  const inner = 'tokens' in token && token.tokens !== undefined ? token.tokens : [];
  const children = <Markdown tokens={inner} isOpen={isOpen} />;
  switch (token.type) {
    case 'formula':
      return (
        <Formula
          source={(token as Tokens.Generic)['text'] as string}
          isBlock={(token as Tokens.Generic)['isBlock'] === true}
          isOpen={isOpen}
        />
      );
    case 'heading': {
      const Heading = HEADINGS[Math.min(5, (token as Tokens.Heading).depth - 1)] ?? 'h6';
      return <Heading>{children}</Heading>;
    }
    case 'paragraph':
      return <p>{children}</p>;
    case 'strong':
      return <strong>{children}</strong>;
    case 'em':
      return <em>{children}</em>;
    case 'del':
      return <del>{children}</del>;
    case 'blockquote':
      return <blockquote>{children}</blockquote>;
    case 'br':
      return <br />;
    case 'hr':
      return <hr />;
    case 'code': {
      const { text, lang = '' } = token as Tokens.Code;
      return <CodeBlock code={text} language={/^\S*/.exec(lang)?.[0] ?? ''} isOpen={isOpen} />;
    }
    case 'codespan':
      return <code>{(token as Tokens.Codespan).text}</code>;
    case 'list':
      return <ListView list={token as Tokens.List} isOpen={isOpen} />;
    case 'table':
      return <TableView table={token as Tokens.Table} isOpen={isOpen} />;
    case 'link':
      return <LinkView address={(token as Tokens.Link).href}>{children}</LinkView>;
    case 'image':
      return <RemoteImage address={(token as Tokens.Image).href} name={(token as Tokens.Image).text} />;
    case 'text':
      return inner.length > 0 ? children : unescaped((token as Tokens.Text).text);
    case 'escape':
      return (token as Tokens.Escape).text;
    case 'space':
    case 'def':
      return null;
    default:
      return token.raw;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' };

/** Characters written as entities; React escapes the text itself. */
const unescaped = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|(amp|lt|gt|quot|nbsp));/g,
    (whole, code: string | undefined, name: string | undefined) => {
      if (name !== undefined) return ENTITIES[name] ?? whole;
      const point = Number(code);
      return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    },
  );

function LinkView({ address, children }: { address: string; children: ReactNode }) {
  if (!LINKABLE.test(address)) return <span>{children}</span>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

function ListView({ list: { ordered, start, items }, isOpen }: { list: Tokens.List; isOpen: boolean }) {
  const entries = items.map((item, index) => (
    <Item key={index} item={item} isOpen={isOpen && index === items.length - 1} />
  ));
  return ordered ? <ol start={start === '' ? undefined : start}>{entries}</ol> : <ul>{entries}</ul>;
}

/** Drawn again only when its source changes: lists get long. */
const Item = memo(
  function Item({ item, isOpen }: { item: Tokens.ListItem; isOpen: boolean }) {
    return (
      <li>
        {item.task && (
          <input type="checkbox" checked={item.checked === true} disabled readOnly aria-label={item.text} />
        )}
        <Markdown tokens={item.tokens.filter(({ type }) => type !== 'checkbox')} isOpen={isOpen} />
      </li>
    );
  },
  (before, after) =>
    before.isOpen === after.isOpen &&
    before.item.raw === after.item.raw &&
    before.item.loose === after.item.loose,
);

function TableView({ table: { header, rows, align }, isOpen }: { table: Tokens.Table; isOpen: boolean }) {
  return (
    <Box className="table" tabIndex={0}>
      <table>
        <thead>
          <Row cells={header} align={align} isOpen={false} />
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <Row key={index} cells={row} align={align} isOpen={isOpen && index === rows.length - 1} />
          ))}
        </tbody>
      </table>
    </Box>
  );
}

interface RowProps {
  cells: readonly Tokens.TableCell[];
  align: Tokens.Table['align'];
  isOpen: boolean;
}

const Row = memo(
  function Row({ cells, align, isOpen }: RowProps) {
    return (
      <tr>
        {cells.map(({ tokens, header }, column) => {
          const Cell = header ? 'th' : 'td';
          return (
            <Cell key={column} style={{ textAlign: align[column] ?? undefined }}>
              <Markdown tokens={tokens} isOpen={isOpen} />
            </Cell>
          );
        })}
      </tr>
    );
  },
  (before, after) => before.isOpen === after.isOpen && sourceOf(before) === sourceOf(after),
);

const sourceOf = ({ cells, align }: RowProps): string =>
  `${align.join()}|${cells.map(({ text }) => text).join('|')}`;
