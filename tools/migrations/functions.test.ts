import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findChangedDefinitions, statementBreak } from './functions.ts'

const makeFunction = (days: number) =>
  `-- What it returns.\nCREATE OR REPLACE FUNCTION days() RETURNS integer LANGUAGE sql RETURN ${days};`
const ofUser = 'CREATE OR REPLACE FUNCTION days(of_user uuid) RETURNS integer LANGUAGE sql AS $$ SELECT 3 $$;'
const trigger = 'CREATE CONSTRAINT TRIGGER counted AFTER INSERT ON a FOR EACH ROW EXECUTE FUNCTION days();'
const joinStatements = (...statements: string[]) => statements.join(`\n${statementBreak}\n`)

test('a function or a trigger is changed when the newest migration that carries it has another text', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'lectern-functions-'))
  const [functions, migrations] = [join(folder.path, 'functions'), join(folder.path, 'migrations')]
  mkdirSync(functions)
  mkdirSync(migrations)
  const write = (path: string, ...statements: string[]) =>
    writeFileSync(path, `${joinStatements(...statements)}\n`)
  const find = () => findChangedDefinitions(functions, migrations)

  write(join(functions, 'days.sql'), makeFunction(1), ofUser, trigger)
  write(join(migrations, '0000_baseline.sql'), 'CREATE TABLE a ();', makeFunction(1))
  expect(find()).toEqual([ofUser, trigger])
  write(join(migrations, '0001_more.sql'), trigger, ofUser, makeFunction(2))
  expect(find()).toEqual([makeFunction(1)])
  write(join(functions, 'days.sql'), makeFunction(2), ofUser, trigger)
  expect(find()).toEqual([])
})
