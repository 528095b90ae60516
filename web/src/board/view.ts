/** On a phone much is under the board: what nobody should miss comes into view when it is there. */
export function intoView(element: HTMLElement): void {
  element.scrollIntoView({ block: 'nearest' });
}
