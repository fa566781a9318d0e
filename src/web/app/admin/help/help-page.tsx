// The screen of one page of the manual.
import type { MouseEvent } from 'react'
import { useNavigate } from 'react-router'
import { manualPath, manualPages, type ManualPage } from '#contract/overview/manual.ts'
import type { ManualApi } from '#domains/overview/manual.routes.ts'
import { Prose } from '../../../format/prose.tsx'
import { Card, LoadFailed } from '../../card.tsx'
import { adminClient, load } from '../calls.tsx'
import { BackLink, TextLink } from '../links.tsx'
import type { Route } from './+types/help-page.ts'

const api = adminClient<ManualApi>()

export function clientLoader({ params }: Route.ClientLoaderArgs) {
  return load('Failed to load the help', async () => {
    const name = manualPages.find((page) => page.name === params.name)?.name
    if (!name) throw new Response('Not found', { status: 404 })
    const page: ManualPage = JSON.parse(await (await api.manual[':name'].$get({ param: { name } })).text())
    return page
  })
}

export default function HelpPage({ loaderData: page }: Route.ComponentProps) {
  const navigate = useNavigate()
  if (!page) return <LoadFailed card="Help" title="The help could not be loaded" />
  const at = manualPages.findIndex(({ name }) => name === page.name)
  const [before, after] = [manualPages[at - 1], manualPages[at + 1]]

  /** The texts have plain links; within the admin area the page is not loaded anew. */
  function follow(event: MouseEvent) {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey
    if (!isPlain || link?.origin !== location.origin) return
    event.preventDefault()
    void navigate(link.pathname)
  }
  return (
    <div className="grid max-w-3xl gap-5">
      <p>
        <BackLink to="/admin/help">All help</BackLink>
      </p>
      <Card title={page.title}>
        {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- the links inside are what is pressed */}
        <div className="space-y-4 px-5 py-5 text-pretty" onClick={follow}>
          <Prose blocks={page.blocks} topHeading={3} />
        </div>
      </Card>
      <nav aria-label="Pages of the help" className="flex flex-wrap justify-between gap-4 text-sm">
        {before ? <TextLink to={manualPath(before.name)}>Previous: {before.title}</TextLink> : <span />}
        {after && <TextLink to={manualPath(after.name)}>Next: {after.title}</TextLink>}
      </nav>
    </div>
  )
}
