import type { Language } from '../../../common/language.js';

/** One block of a mail, in reading order. */
export type MailBlock =
  | { readonly kind: 'paragraph'; readonly text: string }
  /** Something to type: shown large and spaced. */
  | { readonly kind: 'code'; readonly text: string }
  /** A button, and the address in full below it for programs that show no buttons. */
  | { readonly kind: 'link'; readonly label: string; readonly url: string }
  /** Heading of a section of a long mail. */
  | { readonly kind: 'heading'; readonly text: string }
  /** Secondary link: a line of text. */
  | { readonly kind: 'small-link'; readonly label: string; readonly url: string }
  /** A fact set apart from the text. */
  | { readonly kind: 'fact'; readonly label: string; readonly value: string };

/** Content of a mail before rendering. All texts are plain; the renderers escape them. */
export interface MailPage {
  readonly subject: string;
  readonly blocks: readonly MailBlock[];
  /** Smaller, at the end: the reason for the mail, and advice for recipients who did not request it. */
  readonly footer: string;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (mark) => ESCAPES[mark] ?? mark);

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,'PingFang SC','Microsoft YaHei',Arial,sans-serif";

/** Renders the HTML form of a mail: no images, no remote content, readable without its styles. */
export function writeMailHtml(page: MailPage, systemName: string, language: Language): string {
  const blocks = page.blocks.map(blockHtml).join('\n');
  const title = escapeHtml(systemName);
  return `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.subject)}</title>
</head>
<body style="margin:0;padding:0;background:#f4f5f7">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f5f7">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#ffffff;border:1px solid #e1e4e8;border-radius:8px">
<tr><td style="padding:24px 32px 0;${FONT};font-size:15px;font-weight:600;color:#57606a">${title}</td></tr>
<tr><td style="padding:16px 32px 24px;${FONT};font-size:15px;line-height:1.6;color:#1f2328">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3;font-weight:600">${escapeHtml(page.subject)}</h1>
${blocks}
</td></tr>
<tr><td style="padding:16px 32px 24px;border-top:1px solid #e1e4e8;${FONT};font-size:13px;line-height:1.5;color:#57606a">${escapeHtml(page.footer)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

/** Renders the plain-text form of the same mail. */
export function writeMailText(page: MailPage, systemName: string): string {
  const blocks = page.blocks.map((block) => {
    if (block.kind === 'link' || block.kind === 'small-link') return `${block.label}:\n${block.url}`;
    if (block.kind === 'fact') return `${block.label}: ${block.value}`;
    if (block.kind === 'code') return `    ${block.text}`;
    return block.text;
  });
  return [page.subject, ...blocks, `-- \n${page.footer}\n${systemName}`].join('\n\n').concat('\n');
}

function blockHtml(block: MailBlock): string {
  if (block.kind === 'paragraph') return `<p style="margin:0 0 16px">${escapeHtml(block.text)}</p>`;
  if (block.kind === 'code') {
    return `<p style="margin:0 0 16px;padding:16px;background:#f4f5f7;border-radius:6px;text-align:center;font-family:Consolas,Menlo,monospace;font-size:28px;font-weight:700;letter-spacing:6px">${escapeHtml(block.text)}</p>`;
  }
  if (block.kind === 'heading')
    return `<h2 style="margin:24px 0 12px;font-size:16px;line-height:1.3;font-weight:600">${escapeHtml(block.text)}</h2>`;
  if (block.kind === 'small-link')
    return `<p style="margin:0 0 16px;font-size:13px"><a href="${escapeHtml(block.url)}" style="color:#1f6feb">${escapeHtml(block.label)}</a></p>`;
  if (block.kind === 'fact') {
    return `<p style="margin:0 0 16px"><span style="color:#57606a">${escapeHtml(block.label)}</span><br><strong>${escapeHtml(block.value)}</strong></p>`;
  }
  const url = escapeHtml(block.url);
  return `<p style="margin:0 0 16px"><a href="${url}" style="display:inline-block;padding:10px 20px;background:#1f6feb;border-radius:6px;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(block.label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;word-break:break-all"><a href="${url}" style="color:#1f6feb">${url}</a></p>`;
}
