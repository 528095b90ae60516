/** String catalogues: plain JSON, one file a language; the same keys in each. */

/** A string, or its plural forms by the number `n` among the values. */
export type Entry = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

export type Catalogue = Readonly<Record<string, Entry>>;

export type Values = Readonly<Record<string, string | number>>;

export const LANGUAGES = ['en', 'ru', 'uk', 'ja'] as const;

export type Language = (typeof LANGUAGES)[number];

/** What each language calls itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  ru: 'Русский',
  uk: 'Українська',
  ja: '日本語',
};

/** Puts values into an entry; numbers are written as the language does. */
export function fill(entry: Entry, values: Values, language: string): string {
  const text =
    typeof entry === 'string'
      ? entry
      : (entry[new Intl.PluralRules(language).select(Number(values.n))] ?? entry.other ?? '');
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (typeof value === 'number') return new Intl.NumberFormat(language).format(value);
    return value ?? whole;
  });
}

/** A string of a game, or what the server calls the thing if nobody has translated it. */
export function sayOr(say: (key: string) => string, key: string, otherwise: string): string {
  const said = say(key);
  return said === key ? otherwise : said;
}

/** The first of the user's languages that we speak. */
export function prefer(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const base = tag.toLowerCase().split('-')[0];
    const found = LANGUAGES.find((language) => language === base);
    if (found) return found;
  }
  return 'en';
}
