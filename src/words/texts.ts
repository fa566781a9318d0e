// Texts by page and purpose. Reading one gives the author's words where they have changed it, else those of the shop's
// language (docs/architecture.md).

type TextTree = { readonly [name: string]: string | readonly string[] | TextTree }

/** Keys are as `home.messageSent.title`. */
export type Texts = Readonly<Record<string, string>>

/** The language of the page or email that is made. `locale` is for `Intl`, `texts` stand in the place of the standard ones. */
export type Wording = { locale: string; texts: Texts; isAdmin: boolean }

/** The wording of a book in a language without a translation, and of the admin area. */
export const standardWording: Wording = { locale: 'en-US', texts: {}, isAdmin: false }

let readWording = () => standardWording

/** The server sets it in wording.ts, the browser in entry.client.tsx. Returns the source before. */
export function readTextsFrom(source: () => Wording): () => Wording {
  const before = readWording
  readWording = source
  return before
}

function shownWording(): Wording {
  const wording = readWording()
  return wording.isAdmin ? standardWording : wording
}

export const currentLocale = () => shownWording().locale

/** Returns what a page needs in the browser, where one goes on to pages outside of the admin area. */
export function wordingToCarry(): Pick<Wording, 'locale' | 'texts'> {
  const { locale, texts } = readWording()
  return { locale, texts }
}

/** Keys are the texts as they are read; values have the name and the standard texts. */
export const definitions = new WeakMap<object, [name: string, texts: object]>()

/** Texts that are read while a module loads stay the standard ones: a test forbids it. */
export function defineTexts<const Tree extends TextTree>(name: string, tree: Tree): Tree {
  const live = makeLive(name, tree)
  definitions.set(live, [name, tree])
  return live
}

function makeLive<Tree extends object>(path: string, tree: Tree): Tree {
  const live = Array.isArray(tree) ? [] : {}
  for (const [name, value] of Object.entries(tree) as [string, string | object][]) {
    const key = `${path}.${name}`
    const below = typeof value === 'string' ? value : makeLive(key, value)
    const get = () => (typeof below === 'string' ? (shownWording().texts[key] ?? below) : below)
    Object.defineProperty(live, name, { get, enumerable: true })
  }
  if (isPlural(tree)) addForms(path, tree, live)
  return live as Tree
}

type PluralForm = Intl.LDMLPluralRule

/** Languages may have more forms than English. */
type Plural = { readonly other: string } & { readonly [Form in PluralForm]?: string }

export const pluralForms: PluralForm[] = ['zero', 'one', 'two', 'few', 'many', 'other']

const isPlural = (tree: object) => 'other' in tree

function addForms(path: string, tree: object, live: object): void {
  for (const form of pluralForms.filter((each) => !(each in tree)))
    Object.defineProperty(live, form, { get: () => shownWording().texts[`${path}.${form}`] })
}

/** The form of a text for a number of things. */
export function forCount<Forms extends Plural>(forms: Forms, count: number): Forms['other'] {
  return forms[new Intl.PluralRules(currentLocale()).select(count)] ?? forms.other
}

/** A text’s placeholders in braces: the compiler asks for each of them, and for no other. */
export type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never

export function fill<Text extends string>(
  text: Text,
  values: { [Name in Placeholder<Text>]: string | number },
): string {
  const all: Record<string, string | number> = values
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(all[name]))
}
