// The answer to a form that came from another site, or from a browser that does not say where from: it is sent from here.
import { use } from 'react'
import { siteTexts } from '#words/site.ts'
import { Button } from '../../components/button.tsx'
import { FormAnswerContext } from '../../forms/form.ts'
import { Message } from '../../page/message.tsx'
import { SiteFrame } from '../../page/site-frame.tsx'
import { NotFound, notFoundTags } from '../not-found/not-found.tsx'
import type { SitePage } from '../site-page.ts'

export const again: SitePage = {
  path: '/again',
  status: ({ data }) => (data.answer ? 403 : 404),
  tags: notFoundTags,
  Page: SendAgain,
}

function SendAgain() {
  const answer = use(FormAnswerContext)
  if (!answer) return <NotFound />
  return (
    <SiteFrame>
      <Message title={siteTexts.foreignForm} text={siteTexts.foreignFormText}>
        <form method="post" action={answer.action}>
          {Object.entries(answer.values).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <Button type="submit">{siteTexts.sendAgain}</Button>
        </form>
      </Message>
    </SiteFrame>
  )
}
