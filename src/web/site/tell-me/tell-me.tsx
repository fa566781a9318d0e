// For who wants to be told that a product is out.
import { tellMePattern } from '#contract/paths.ts'
import { tellMeTexts } from '#words/buying.ts'
import { SiteFrame } from '../../site-frame.tsx'
import { Island } from '../../island.tsx'
import { unlisted, type SitePage } from '../site-page.ts'
import { TellMe } from './tell-me-form.tsx'

export const tellMe: SitePage = {
  path: tellMePattern,
  tags: () => unlisted(tellMeTexts.page),
  Page: () => (
    <SiteFrame>
      <Island name="tell-me" part="page" Part={TellMe} wakes="#" />
    </SiteFrame>
  ),
}
