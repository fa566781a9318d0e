// Where emails of an earlier version lead, with a link that took a changed address back.
import { accountTexts } from '#words/account.ts'
import { ButtonLink } from '../../components/button.tsx'
import { MessagePage } from '../../message-page.tsx'

export function meta() {
  return [{ title: accountTexts.linkEnded.title }, { name: 'robots', content: 'noindex' }]
}

export default function LinkEnded() {
  const { title, text, write } = accountTexts.linkEnded
  return (
    <MessagePage title={title} text={text}>
      <ButtonLink to="/#contact">{write}</ButtonLink>
    </MessagePage>
  )
}
