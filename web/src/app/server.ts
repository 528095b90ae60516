/** The one line to the server that all pages share. */

import { browser, Line } from '../net/line';

export const line = new Line(browser());

addEventListener('online', () => {
  line.renew();
});
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') line.wake();
});
