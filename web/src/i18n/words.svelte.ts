/** The interface's strings in the user's language. */

import { fill, type Catalogue, type Language, type Values } from './catalogue';
import english from './en.json';

export type WordKey = keyof typeof english;

const others = import.meta.glob<Catalogue>('./{ru,uk,ja}.json', { import: 'default' });

class Words {
  language = $state<Language>('en');
  private catalogue = $state.raw<Catalogue>(english);

  /** Switches the language; the page redraws by itself. */
  async speak(language: Language): Promise<void> {
    const load = others[`./${language}.json`];
    const catalogue = load === undefined ? english : await load();
    this.catalogue = catalogue;
    this.language = language;
    document.documentElement.lang = language;
  }

  say(key: WordKey, values: Values = {}): string {
    return fill(this.catalogue[key] ?? english[key], values, this.language);
  }
}

export const words = new Words();

/** Whether the interface has a string by this name. */
export function isWord(key: string): key is WordKey {
  return key in english;
}

/** Finds a string of the interface. */
export function t(key: WordKey, values?: Values): string {
  return words.say(key, values);
}
