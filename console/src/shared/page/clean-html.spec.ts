import { describe, expect, it } from '@jest/globals';
import { cleanHtml } from './clean-html';

const clean = (html: string) => cleanHtml(html).html;

describe('cleanHtml [WEB-01]', () => {
  it.each([
    ['<script>alert(1)</script>hello', 'hello'],
    ['<img src=x onerror=alert(1)>', '<img src="x">'.replace(' src="x"', '')],
    ['<a href="javascript:alert(1)">go</a>', '<a rel="noopener noreferrer nofollow">go</a>'],
    ['<a href=" JAVASCRIPT:alert(1)">go</a>', '<a rel="noopener noreferrer nofollow">go</a>'],
    ['<svg onload=alert(1)><text>in</text></svg>', ''],
    ['<p onclick="x()" style="position:fixed">text</p>', '<p>text</p>'],
    ['<iframe src="https://evil.example"></iframe>after', 'after'],
    ['<form action="/x"><button>press</button></form>', 'press'],
    ['<math><mtext></form><script>alert(1)</script></math>', ''],
    ['//host/x is text', '//host/x is text'],
  ])('takes what acts out of %s [WEB-04]', (given, expected) => {
    expect(clean(given)).toBe(expected);
  });

  it('keeps what marks text up, and opens links elsewhere', () => {
    expect(clean('<h2>Hi</h2><a href="https://a.example/x">a</a>')).toBe(
      '<h2>Hi</h2><a href="https://a.example/x" rel="noopener noreferrer nofollow" target="_blank">a</a>',
    );
    expect(clean('<img src="https://a.example/p.png" alt="p">')).toBe(
      '<img src="https://a.example/p.png" alt="p">',
    );
    expect(clean('<table><tbody><tr><td colspan="2">a</td></tr></tbody></table>')).toBe(
      '<table><tbody><tr><td colspan="2">a</td></tr></tbody></table>',
    );
  });

  /** Inputs that got past cleaners of other programs: nesting, name spaces, entities, clobbering, addresses. */
  it.each([
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
    '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    '<svg><foreignObject><iframe srcdoc="<script>alert(1)</script>"></iframe></foreignObject></svg>',
    '<template><script>alert(1)</script></template>',
    '<svg><style>&lt;img src=x onerror=alert(1)&gt;</style></svg>',
    '<math href="javascript:alert(1)">x</math>',
    '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
    '<svg><animate onbegin=alert(1) attributeName=x dur=1s></svg>',
    '<svg><set attributeName="href" to="javascript:alert(1)"/></svg>',
    '<a href="java&#10;script:alert(1)">x</a>',
    '<a href="&#1;javascript:alert(1)">x</a>',
    '<a href="jav&Tab;ascript:alert(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<a href="vbscript:alert(1)">x</a>',
    '<a href="//evil.example">x</a>',
    '<a href="/\\evil.example">x</a>',
    '<a href="/&#9;/evil.example">x</a>',
    '<img src="data:image/svg+xml,<svg onload=alert(1)>">',
    '<img src="x" srcset="https://evil.example/a 1x" onload=alert(1)>',
    '<img/src=`x`onerror=alert(1)>',
    '<details open ontoggle=alert(1)>x</details>',
    '<video><source onerror=alert(1)></video>',
    '<audio src=x onerror=alert(1)></audio>',
    '<object data="javascript:alert(1)"></object>',
    '<embed src="javascript:alert(1)">',
    '<base href="https://evil.example/">',
    '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
    '<link rel="stylesheet" href="https://evil.example/x.css">',
    '<style>@import "https://evil.example/x.css"; body{display:none}</style>',
    '<form id="attributes"><input name="parentNode"></form><img src=x onerror=alert(1)>',
    '<input autofocus onfocus=alert(1)>',
    '<button formaction="javascript:alert(1)">x</button>',
    '<isindex action="javascript:alert(1)">',
    '<marquee onstart=alert(1)>x</marquee>',
    '<x-thing is="x" onclick=alert(1)>x</x-thing>',
    '<p id="root" class="MuiDialog-root" name="body">x</p>',
    '<title></title><img src=x onerror=alert(1)>',
    '<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>',
    '<xmp><p title="</xmp><img src=x onerror=alert(1)>"></xmp>',
    '<noembed><p title="</noembed><img src=x onerror=alert(1)>"></noembed>',
    '<select><template><img src=x onerror=alert(1)></template></select>',
    '<table background="javascript:alert(1)"><tr><td background="javascript:alert(1)">x</td></tr></table>',
    '<p style="background:url(javascript:alert(1))">x</p>',
    '<p style="behavior:url(#default#time2)">x</p>',
    '<p style="-moz-binding:url(//evil.example/x)">x</p>',
    '<p style="width:expression(alert(1))">x</p>',
    '<p style="color:red;position:fixed;inset:0;z-index:9999">x</p>',
    '<p style="background:u\\72l(//evil.example)">x</p>',
    '<p style="background:image-set(\'//evil.example\' 1x)">x</p>',
    '<p style="margin-top:-500px">x</p>',
    '<p style="margin:calc(0px - 500px)">x</p>',
    '<p style="color:red/*;*/;position:absolute">x</p>',
  ])('leaves nothing that acts, fetches or leaves its place in %s [WEB-04]', (given) => {
    const body = new DOMParser().parseFromString(clean(given), 'text/html').body;
    for (const element of body.querySelectorAll('*')) {
      expect(element.namespaceURI).toBe('http://www.w3.org/1999/xhtml');
      expect(element.tagName).toMatch(/^(?:A|IMG|P|TABLE|TBODY|TR|TD|DETAILS)$/);
      for (const { name, value } of element.attributes) {
        expect(name).toMatch(/^(?:href|src|rel|target|style|title|alt|open)$/);
        if (name === 'href' || name === 'src') expect(value).toMatch(/^(?:https?:|mailto:|#|\/[^/\\])/);
        if (name === 'style') expect(value).toMatch(/^(?:color: red)?$/);
        if (name === 'title') expect(clean(value)).not.toContain('onerror');
      }
    }
    // Read once more, it stays what it is.
    expect(clean(clean(given))).toBe(clean(given));
  });

  it('lists what it removed, and how often', () => {
    const { removed } = cleanHtml(
      '<script>x()</script><p onclick="x()" style="position:fixed; color: red">a</p><b style="position:fixed">b</b>',
    );
    expect(removed).toEqual([
      ['position', 2],
      ['onclick', 1],
      ['<script>', 1],
    ]);
    expect(cleanHtml('<p style="color: red">plain</p>').removed).toEqual([]);
  });

  it('takes all styles out of texts that no operator wrote', () => {
    expect(cleanHtml('<p style="color: red">x</p>', { withStyles: false }).html).toBe('<p>x</p>');
  });
});
