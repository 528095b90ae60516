/** The board as a picture of its own: styles go along, the page stays behind. */

const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'font',
  'text-anchor',
  'dominant-baseline',
  'visibility',
  'display',
] as const;

/** Colours that browsers know and other programs may not. */
const MODERN = /\b(?:oklch|oklab|lch|lab|color|color-mix)\([^()]*\)/g;

/** The same colours, as every program knows them. */
function plain(value: string): string {
  return value.replace(MODERN, (colour) => {
    const context = new OffscreenCanvas(1, 1).getContext('2d');
    if (context === null) return colour;
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0, alpha = 255] = context.getImageData(0, 0, 1, 1).data;
    return `rgba(${[r, g, b].join(', ')}, ${(alpha / 255).toFixed(3)})`;
  });
}

const SVG = 'http://www.w3.org/2000/svg';
/** What is left around the drawings, in pixels. */
const MARGIN = 12;

/** The drawings that belong to a position: the board itself, and others with something to pick. */
function drawings(board: Element): readonly SVGSVGElement[] {
  const area = (svg: SVGSVGElement): number => svg.clientWidth * svg.clientHeight;
  const all = [...board.querySelectorAll('svg')].filter((svg) => svg.ownerSVGElement === null);
  const largest = all.reduce<SVGSVGElement | null>(
    (best, svg) => (best === null || area(svg) > area(best) ? svg : best),
    null,
  );
  return all.filter((svg) => svg === largest || svg.querySelector('[data-key]') !== null);
}

/** A copy that needs no style sheet. */
function withStyles(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = svg.querySelectorAll('*');
  copy.querySelectorAll<SVGElement>('*').forEach((element, i) => {
    const original = originals[i];
    if (original === undefined) return;
    const style = getComputedStyle(original);
    for (const name of STYLES) {
      element.style.setProperty(name, plain(style.getPropertyValue(name)));
    }
    for (const name of ['tabindex', 'role', 'class', 'aria-pressed']) element.removeAttribute(name);
  });
  for (const name of ['class', 'style']) copy.removeAttribute(name);
  copy.setAttribute('overflow', 'visible');
  return copy;
}

function place(
  element: Element,
  box: { x: number; y: number; width: number; height: number },
): void {
  for (const name of ['x', 'y', 'width', 'height'] as const) {
    element.setAttribute(name, String(Math.round(10 * box[name]) / 10));
  }
}

/** What is drawn on a board, as one SVG that stands for itself: as it lies there, on the page's ground. */
export function standalone(board: Element): SVGSVGElement {
  const parts = drawings(board).map((svg) => ({ svg, box: svg.getBoundingClientRect() }));
  const [left, top] = [
    Math.min(...parts.map(({ box }) => box.left)) - MARGIN,
    Math.min(...parts.map(({ box }) => box.top)) - MARGIN,
  ];
  const width = Math.max(...parts.map(({ box }) => box.right)) + MARGIN - left;
  const height = Math.max(...parts.map(({ box }) => box.bottom)) + MARGIN - top;
  const whole = document.createElementNS(SVG, 'svg');
  whole.setAttribute('viewBox', `0 0 ${width.toFixed(0)} ${height.toFixed(0)}`);
  place(whole, { x: 0, y: 0, width, height });
  const ground = document.createElementNS(SVG, 'rect');
  place(ground, { x: 0, y: 0, width, height });
  ground.setAttribute('fill', plain(getComputedStyle(document.documentElement).backgroundColor));
  whole.append(ground);
  for (const { svg, box } of parts) {
    const copy = withStyles(svg);
    place(copy, { x: box.x - left, y: box.y - top, width: box.width, height: box.height });
    whole.append(copy);
  }
  return whole;
}

export function toSvg(board: Element): Blob {
  const text = new XMLSerializer().serializeToString(standalone(board));
  return new Blob([text], { type: 'image/svg+xml' });
}

/** How wide a picture is, at least. */
const WIDTH = 1200;

export async function toPng(board: Element): Promise<Blob> {
  const drawing = standalone(board);
  const { width, height } = drawing.viewBox.baseVal;
  const image = new Image();
  const text = new XMLSerializer().serializeToString(drawing);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = Math.round((WIDTH * height) / width);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('the picture can’t be made'));
      else resolve(blob);
    }, 'image/png');
  });
}

/** Hands a file to the user. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(link.href);
  }, 10_000);
}
