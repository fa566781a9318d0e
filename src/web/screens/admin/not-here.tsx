// In place of one person, purchase or product that does not exist, or not any more.
import { SearchX } from 'lucide-react'
import { isRouteErrorResponse, useLocation, useRouteError } from 'react-router'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Note } from '../../ui/note.tsx'

export function NotHere() {
  const error = useRouteError()
  const { pathname } = useLocation()
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error
  const list = pathname.split('/').slice(0, 3).join('/')
  return (
    <Card title="Not found">
      <Note icon={SearchX} title="There is nothing at this address">
        <p>Perhaps the link was mistyped, or what it led to has been removed.</p>
        <ButtonLink to={list} look="outline" className="mt-5">
          To the list
        </ButtonLink>
      </Note>
    </Card>
  )
}
