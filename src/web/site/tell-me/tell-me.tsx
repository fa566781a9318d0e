// The page for a visitor who asks to be told that a product is out.
import { tellMePattern } from '#contract/paths.ts'
import { tellMeTexts } from '#words/buying.ts'
import { SiteFrame } from '../../page/site-frame.tsx'
import { Island } from '../../page/island.tsx'
import { LinkNeedsScripts } from '../../page/page-shell.tsx'
import type { SitePage } from '../site-page.ts'
import { unlisted } from '../../page/page-meta.ts'
import { TellMe } from './tell-me-form.tsx'

export const tellMe: SitePage = {
  path: tellMePattern,
  tags: ({ book }) => unlisted(tellMeTexts.page, book),
  Page: ({ shown: { awaited } }) => (
    <SiteFrame>
      <LinkNeedsScripts />
      <Island name="tell-me" part="page" Part={TellMe} props={{ awaited }} wakes="data-linked" />
    </SiteFrame>
  ),
}
