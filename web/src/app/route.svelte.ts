/** Addresses of the page, by the history of the browser. */

export type Route =
  | { readonly page: 'home' | 'lobby' | 'settings' | 'missing' }
  | { readonly page: 'learn'; readonly game: string | null }
  | { readonly page: 'play' | 'puzzles'; readonly game: string }
  | {
      readonly page: 'replay';
      readonly match: string;
      readonly viewer: Eyes;
      readonly at: number | null;
    }
  | { readonly page: 'match'; readonly match: string; readonly invitation: string | null };

/** With whose eyes a match that is over is looked at. */
const EYES = ['open', 'first', 'second', 'spectator'] as const;
type Eyes = (typeof EYES)[number];

/** Reads an address. The fragment of an invitation is never sent to anybody. */
export function read(path: string, fragment: string): Route {
  const [page = '', name = '', ...more] = path.split('/').filter((part) => part !== '');
  if (page === 'replay') return readReplay(name, more, fragment);
  if (more.length > 0) return { page: 'missing' };
  switch (page) {
    case '':
      return { page: 'home' };
    case 'lobby':
    case 'settings':
      return name === '' ? { page } : { page: 'missing' };
    case 'learn':
      return { page, game: name === '' ? null : name };
    case 'play':
    case 'puzzles':
      return name === '' ? { page: 'home' } : { page, game: name };
    case 'match': {
      const invitation = fragment.replace(/^#/, '');
      return { page, match: name, invitation: invitation === '' ? null : invitation };
    }
    default:
      return { page: 'missing' };
  }
}

function readReplay(match: string, [eyes = 'open', ...more]: string[], fragment: string): Route {
  const viewer = EYES.find((known) => known === eyes);
  if (match === '' || viewer === undefined || more.length > 0) return { page: 'missing' };
  const at = /^#(\d{1,6})$/.exec(fragment)?.[1];
  return { page: 'replay', match, viewer, at: at === undefined ? null : Number(at) };
}

class Router {
  route = $state.raw<Route>(read(location.pathname, location.hash));

  constructor() {
    addEventListener('popstate', () => {
      this.update();
    });
  }

  /** Goes to an address of the page. */
  go(path: string, replace = false): void {
    if (replace) history.replaceState(null, '', path);
    else history.pushState(null, '', path);
    this.update();
    scrollTo(0, 0);
  }

  private update(): void {
    this.route = read(location.pathname, location.hash);
  }
}

export const router = new Router();

/** Lets plain links inside the page change the route without a reload. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.target !== '' || link.origin !== location.origin) return;
  if (link.pathname.startsWith('/api/') || link.hasAttribute('download')) return;
  event.preventDefault();
  router.go(link.pathname + link.hash);
}
