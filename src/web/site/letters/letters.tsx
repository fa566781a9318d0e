// The page of the author's letters: it asks for an address, and the link of the email leads here.
import { siteTexts } from '#words/site.ts'
import { lettersPath } from '#contract/paths.ts'
import { SiteFrame } from '../../page/site-frame.tsx'
import { Island } from '../../page/island.tsx'
import { LinkNeedsScripts } from '../../page/page-shell.tsx'
import type { SitePage } from '../site-page.ts'
import { unlisted } from '../../page/page-meta.ts'
import { Letters } from './letters-form.tsx'

export const letters: SitePage = {
  path: lettersPath,
  tags: ({ book }) => unlisted(siteTexts.letters, book),
  Page: () => (
    <SiteFrame>
      <LinkNeedsScripts />
      <Island name="letters" part="page" Part={Letters} wakes="data-linked" />
    </SiteFrame>
  ),
}
