/** Puts a text on the clipboard, also where the page did not come over HTTPS; says whether it is there. */
export async function copy(text: string): Promise<boolean> {
  // A page from another machine of the house comes over HTTP, and gets no clipboard of its own.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard === undefined) return copyBySelection(text);
  return clipboard.writeText(text).then(
    () => true,
    () => copyBySelection(text),
  );
}

function copyBySelection(text: string): boolean {
  const box = document.createElement('textarea');
  box.value = text;
  box.style.position = 'fixed';
  document.body.append(box);
  box.select();
  // There is nothing else where the clipboard is denied.
  const copied = document.execCommand('copy');
  box.remove();
  return copied;
}
