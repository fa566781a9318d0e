// The screen of the manual: its pages, and the search in them.
import { useSearchParams } from 'react-router'
import { manualPath } from '#contract/overview/manual.ts'
import type { ManualApi } from '#domains/overview/manual.routes.ts'
import { responseOf } from '../../../api.ts'
import { Card, LoadFailed } from '../../card.tsx'
import { SearchX } from '../icons.tsx'
import { Note } from '../../../components/note.tsx'
import { SearchField } from '../../table.tsx'
import { adminClient, load } from '../calls.tsx'
import { NameLink } from '../links.tsx'
import type { Route } from './+types/help.ts'

const api = adminClient<ManualApi>()

export function clientLoader() {
  return load('Failed to load the help', () => responseOf(api.manual.$get()))
}

/** The search is in the address, and all texts are here already. */
export function shouldRevalidate() {
  return false
}

export default function Help({ loaderData }: Route.ComponentProps) {
  const [search] = useSearchParams()
  if (!loaderData) return <LoadFailed card="Help" title="The help could not be loaded" />
  const words = (search.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const matches = loaderData.items.filter(({ title, text }) => {
    const all = `${title} ${text}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
  return (
    <div className="grid max-w-3xl gap-5">
      <SearchField label="Search the help" placeholder="Receipt, refund, backup ..." />
      <Card title="Help">
        {matches.length === 0 ? (
          <Note icon={SearchX} title="Nothing found">
            No page has all of these words.
          </Note>
        ) : (
          <ul className="divide-y divide-line">
            {matches.map(({ name, title, text }) => (
              <li key={name} className="px-5 py-4">
                <NameLink to={manualPath(name)}>{title}</NameLink>
                <p className="mt-1 text-sm text-pretty text-soft">{excerptOf(text, words)}</p>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  )
}

/** The paragraph that has the first of the words, or the first one. */
function excerptOf(text: string, [word]: readonly string[]): string | undefined {
  const paragraphs = text.split('\n')
  return paragraphs.find((each) => word && each.toLowerCase().includes(word)) ?? paragraphs[0]
}
