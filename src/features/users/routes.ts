// The users of the shop, for the admin area. What touches an account's power or way in asks for a recent sign-in.
import type { WithAuth } from '../accounts/auth.ts'
import { createRoute, z } from '@hono/zod-openapi'
import { createUserRequest } from '../accounts/contract/accounts.ts'
import { id } from '#platform/contract/fields.ts'
import {
  disabledRequest,
  factorResetRequest,
  role,
  userDetail,
  userList,
  userListRequest,
} from './contract.ts'
import { clientNetwork } from '#platform/http/client-ip.ts'
import type { Services } from '../../services.ts'
import {
  createUser,
  endSessions,
  getUser,
  listUsers,
  resendVerification,
  resetFactors,
  setDisabled,
  setRole,
} from './users.ts'
import { actorOf } from '../audit/actor.ts'
import { bearer, body, createApi, json, refusal } from '#platform/http/route.ts'

export type UsersApi = ReturnType<typeof usersApi>

const one = z.object({ id })
const oneRole = z.object({ id, role })
const done = json(userDetail, 'The account as it is now')

export function usersApi(services: Services & WithAuth) {
  const { requireRecentSignIn } = services.auth
  const security = bearer
  const middleware = requireRecentSignIn

  const list = createRoute({
    method: 'get',
    path: '/users',
    security,
    request: { query: userListRequest },
    responses: { 200: json(userList, 'A page of accounts'), ...refusal },
  })
  const read = createRoute({
    method: 'get',
    path: '/users/{id}',
    security,
    request: { params: one },
    responses: { 200: json(userDetail, 'One account'), ...refusal },
  })
  const create = createRoute({
    method: 'post',
    path: '/users',
    security,
    middleware,
    request: body(createUserRequest),
    responses: { 201: json(z.object({ message: z.string() }), 'The account was made'), ...refusal },
  })
  const grant = createRoute({
    method: 'put',
    path: '/users/{id}/roles/{role}',
    security,
    middleware,
    request: { params: oneRole },
    responses: { 200: done, ...refusal },
  })
  const revoke = createRoute({
    method: 'delete',
    path: '/users/{id}/roles/{role}',
    security,
    middleware,
    request: { params: oneRole },
    responses: { 200: done, ...refusal },
  })
  const disable = createRoute({
    method: 'put',
    path: '/users/{id}/disabled',
    security,
    middleware,
    request: { params: one, ...body(disabledRequest) },
    responses: { 200: done, ...refusal },
  })
  const signOut = createRoute({
    method: 'delete',
    path: '/users/{id}/sessions',
    security,
    request: { params: one },
    responses: { 200: done, ...refusal },
  })
  const resetFactor = createRoute({
    method: 'post',
    path: '/users/{id}/factor-reset',
    security,
    request: { params: one, ...body(factorResetRequest) },
    responses: { 200: done, ...refusal },
  })
  const verify = createRoute({
    method: 'post',
    path: '/users/{id}/verification',
    security,
    request: { params: one },
    responses: { 200: done, ...refusal },
  })

  return createApi()
    .openapi(list, async (c) => c.json(await listUsers(services.db, c.req.valid('query')), 200))
    .openapi(read, async (c) => c.json(await getUser(services, c.req.valid('param').id), 200))
    .openapi(create, async (c) => {
      const { displayName: display_name, ...account } = c.req.valid('json')
      await createUser(services, actorOf(c, services), { ...account, display_name })
      return c.json({ message: `User ${account.email} was created.` }, 201)
    })
    .openapi(grant, async (c) => {
      const { id: user_id, role: granted } = c.req.valid('param')
      await setRole(services, actorOf(c, services), user_id, granted, true)
      return c.json(await getUser(services, user_id), 200)
    })
    .openapi(revoke, async (c) => {
      const { id: user_id, role: revoked } = c.req.valid('param')
      await setRole(services, actorOf(c, services), user_id, revoked, false)
      return c.json(await getUser(services, user_id), 200)
    })
    .openapi(disable, async (c) => {
      const { id: user_id } = c.req.valid('param')
      await setDisabled(services, actorOf(c, services), user_id, c.req.valid('json').is_disabled)
      return c.json(await getUser(services, user_id), 200)
    })
    .openapi(signOut, async (c) => {
      const { id: user_id } = c.req.valid('param')
      await endSessions(services, actorOf(c, services), user_id)
      return c.json(await getUser(services, user_id), 200)
    })
    .openapi(resetFactor, async (c) => {
      const { id: user_id } = c.req.valid('param')
      const { current_password } = c.req.valid('json')
      const network = clientNetwork(c, services.config.trustedProxies)
      await services.auth.requireRecentProof(c.var.user, { current_password, network })
      await resetFactors(services, actorOf(c, services), user_id)
      return c.json(await getUser(services, user_id), 200)
    })
    .openapi(verify, async (c) => {
      const { id: user_id } = c.req.valid('param')
      await resendVerification(services, actorOf(c, services), user_id)
      return c.json(await getUser(services, user_id), 200)
    })
}
