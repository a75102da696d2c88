/** Pixels of the image for each pixel of the page. */
const SCALE = 2;
const PADDING = 16;
const TITLE_HEIGHT = 32;
const LEGEND_LINE_HEIGHT = 22;

const isVisible = (style: CSSStyleDeclaration): boolean =>
  style.display !== 'none' && style.visibility !== 'hidden' && Number(style.opacity) > 0;

/** Draws one shape or text of an SVG where it stands. */
function drawElement(context: CanvasRenderingContext2D, element: SVGGraphicsElement): void {
  const style = getComputedStyle(element);
  if (!isVisible(style)) return;
  const matrix = element.getCTM();
  if (matrix === null) return;
  context.save();
  context.transform(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f);
  context.globalAlpha = Number(style.fillOpacity);
  if (element instanceof SVGTextElement) {
    const box = element.getBBox();
    context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    context.fillStyle = style.fill;
    context.textBaseline = 'middle';
    context.fillText(element.textContent ?? '', box.x, box.y + box.height / 2);
  } else {
    const path = pathOf(element);
    if (path !== undefined) {
      if (style.fill !== 'none') {
        context.fillStyle = style.fill;
        context.fill(path);
      }
      if (style.stroke !== 'none' && Number.parseFloat(style.strokeWidth) > 0) {
        context.strokeStyle = style.stroke;
        context.lineWidth = Number.parseFloat(style.strokeWidth);
        context.stroke(path);
      }
    }
  }
  context.restore();
}

function pathOf(element: SVGGraphicsElement): Path2D | undefined {
  const path = new Path2D();
  if (element instanceof SVGPathElement) return new Path2D(element.getAttribute('d') ?? '');
  if (element instanceof SVGRectElement) {
    const { x, y, width, height } = element;
    path.rect(x.baseVal.value, y.baseVal.value, width.baseVal.value, height.baseVal.value);
    return path;
  }
  if (element instanceof SVGLineElement) {
    path.moveTo(element.x1.baseVal.value, element.y1.baseVal.value);
    path.lineTo(element.x2.baseVal.value, element.y2.baseVal.value);
    return path;
  }
  if (element instanceof SVGCircleElement) {
    path.arc(element.cx.baseVal.value, element.cy.baseVal.value, element.r.baseVal.value, 0, 2 * Math.PI);
    return path;
  }
  return undefined;
}

interface LegendEntry {
  readonly color: string;
  readonly text: string;
}

/** Names and colors of a list beside a chart: its entries begin with a colored box, or with a colored shape. */
function legendOf(part: HTMLElement): readonly LegendEntry[] {
  return [...part.querySelectorAll('li')].map((entry) => {
    const shape = entry.querySelector('svg rect, svg path, svg circle');
    const color =
      shape === null
        ? getComputedStyle(entry.firstElementChild ?? entry).backgroundColor
        : getComputedStyle(shape).fill;
    return {
      color,
      text: [...entry.children]
        .map(({ textContent }) => textContent)
        .join(' ')
        .trim(),
    };
  });
}

const area = (svg: SVGSVGElement): number => {
  const { width, height } = svg.getBoundingClientRect();
  return width * height;
};

/** Pixels of texts beyond the right edge: the last label of an axis is centred there. */
function overhangOf(svg: SVGSVGElement): number {
  const ends = [...svg.querySelectorAll('text')].map((text) => text.getBoundingClientRect().right);
  return Math.max(0, ...ends.map((end) => end - svg.getBoundingClientRect().right));
}

/**
 * Draws the chart of a part of the page with its title and legend. The policy of the console allows no SVG as an image, so its shapes
 * are drawn one by one. Resolves with undefined when the part has no chart. Fails: when the browser makes no image.
 */
export async function chartPng(part: HTMLElement, title: string): Promise<Blob | undefined> {
  // Entries of a legend may have small ones.
  const [svg] = [...part.querySelectorAll<SVGSVGElement>('[role=img] svg')].toSorted(
    (left, right) => area(right) - area(left),
  );
  if (svg === undefined) return undefined;
  const legend = legendOf(part);
  const { width, height } = svg.getBoundingClientRect();
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(width + overhangOf(svg) + 2 * PADDING) * SCALE;
  canvas.height = (height + TITLE_HEIGHT + legend.length * LEGEND_LINE_HEIGHT + 2 * PADDING) * SCALE;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('the browser draws no images');
  context.scale(SCALE, SCALE);
  const page = getComputedStyle(document.body);
  context.fillStyle = page.backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = page.color;
  context.font = `600 16px ${page.fontFamily}`;
  context.textBaseline = 'top';
  context.fillText(title, PADDING, PADDING);
  context.translate(PADDING, PADDING + TITLE_HEIGHT);
  for (const element of svg.querySelectorAll<SVGGraphicsElement>('rect, path, line, circle, text'))
    if (element.closest('defs, clipPath') === null) drawElement(context, element);
  context.font = `13px ${page.fontFamily}`;
  context.textBaseline = 'middle';
  for (const [index, { color, text }] of legend.entries()) {
    const y = height + (index + 0.5) * LEGEND_LINE_HEIGHT;
    context.fillStyle = color;
    context.fillRect(0, y - 5, 10, 10);
    context.fillStyle = page.color;
    context.fillText(text, 18, y);
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('the browser made no image')) : resolve(blob)));
  });
}
