// Where emails of an earlier version lead, with a link that took a changed address back.
import { accountTexts } from '#words/account.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Message } from '../../page/message.tsx'
import { SiteFrame } from '../../page/site-frame.tsx'
import type { Route } from './+types/link-ended.ts'
import { unlisted } from '../../page/page-meta.ts'

export function meta({ matches }: Route.MetaArgs) {
  return unlisted(accountTexts.linkEnded.title, matches[0].loaderData.book)
}

export default function LinkEnded() {
  const { title, text, write } = accountTexts.linkEnded
  return (
    <SiteFrame>
      <Message title={title} text={text}>
        <ButtonLink to="/#contact">{write}</ButtonLink>
      </Message>
    </SiteFrame>
  )
}
