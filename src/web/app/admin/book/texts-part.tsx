// The part with the words of pages and emails. The catalogue loads when it opens.
import { useCallback } from 'react'
import type { BookDocument } from '#contract/book/book.ts'
import { Button } from '../../../components/button.tsx'
import { useLoaded } from '../../../page/use-page.ts'
import type { PartProps } from './draft-inputs.tsx'

const loadModule = () => import('./shown-texts.tsx')

/** Returns whether a page says this by a text of the catalogue, rather than by the book: false where that is not there. */
export async function isShownText(words: string, document: BookDocument): Promise<boolean> {
  const shown = await loadModule().catch(() => undefined)
  return shown?.isShownText(words, document) ?? false
}

export function TextsPart(partProps: PartProps) {
  return <TextsInLanguage key={partProps.document.language} {...partProps} />
}

function TextsInLanguage(partProps: PartProps) {
  const { language } = partProps.document
  const load = useCallback(() => loadTexts(language).catch(() => null), [language])
  const { loaded, reload } = useLoaded(load)
  if (loaded === undefined) return <p className="text-sm text-soft">Loading the texts…</p>
  if (loaded)
    return <loaded.ShownTexts key={partProps.pressed?.count} {...partProps} standards={loaded.standards} />
  return (
    <div role="alert" className="grid justify-items-start gap-3">
      <p className="text-sm">The texts of this language could not be loaded.</p>
      <Button look="outline" onClick={() => void reload()}>
        Load again
      </Button>
    </div>
  )
}

async function loadTexts(language: string) {
  const [{ ShownTexts }, { loadStandardTexts }] = await Promise.all([
    loadModule(),
    import('#words/catalogue.ts'),
  ])
  return { ShownTexts, standards: await loadStandardTexts(language) }
}
