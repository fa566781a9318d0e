// Texts by page and purpose. Reading one gives the author's words where they have changed it (docs/architecture.md).

type TextTree = { readonly [name: string]: string | readonly string[] | TextTree }

/** By key, as `home.messageSent.title`. */
export type Texts = Readonly<Record<string, string>>

/** Of the page or email that is made. The admin area has the standard texts. */
export type ChangedTexts = { texts: Texts; isAdmin: boolean }

let readChanged = (): ChangedTexts => ({ texts: {}, isAdmin: false })

/** On the server with-texts.ts, in the browser entry.client.tsx. */
export function readTextsFrom(source: () => ChangedTexts): void {
  readChanged = source
}

/** What a page needs in the browser. */
export function textsToCarry(): Texts {
  return readChanged().texts
}

/** By what is read: the name and the standard texts. */
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
    const get = () => (typeof below === 'string' ? textOf(key, below) : below)
    Object.defineProperty(live, name, { get, enumerable: true })
  }
  return live as Tree
}

function textOf(key: string, standard: string): string {
  const { texts, isAdmin } = readChanged()
  return isAdmin ? standard : (texts[key] ?? standard)
}
