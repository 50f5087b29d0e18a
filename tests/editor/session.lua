-- A session of a real editor with `hookgen lsp`: arguments are the server, the file, and where the answers go.
local server, file, out = arg_server, arg_file, arg_out

local buffer = vim.fn.bufadd(file)
vim.fn.bufload(buffer)
vim.api.nvim_set_current_buf(buffer)
local id = vim.lsp.start_client({ name = 'hookgen', cmd = { server, 'lsp' }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(buffer, id)
local answers = { diagnostics = {} }

local function wait(condition)
  if not vim.wait(30000, condition, 20) then answers.late = true end
end

-- The place after the first piece of text that is given, as the protocol counts.
local function after(piece)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local _, last = line:find(piece, 1, true)
    if last then return { line = number - 1, character = last } end
  end
  error('no ' .. piece)
end

local function ask(method, params)
  params.textDocument = { uri = vim.uri_from_bufnr(buffer) }
  local replies = vim.lsp.buf_request_sync(buffer, method, params, 30000)
  local reply = replies and replies[id]
  return reply and (reply.result or reply.err or reply.error) or vim.NIL
end

local function replace(from, to)
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  for number, line in ipairs(lines) do
    local first, last = line:find(from, 1, true)
    if first then
      vim.api.nvim_buf_set_lines(buffer, number - 1, number, false, { line:sub(1, first - 1) .. to .. line:sub(last + 1) })
      return
    end
  end
end

wait(function() return #vim.diagnostic.get(buffer) > 0 end)
for _, one in ipairs(vim.diagnostic.get(buffer)) do
  table.insert(answers.diagnostics, { line = one.lnum, from = one.col, to = one.end_col, message = one.message, code = one.code })
end
local wrong = after('file_pathh')
local range = { start = wrong, ['end'] = wrong }
local actions = ask('textDocument/codeAction', { range = range, context = { diagnostics = vim.empty_dict() } })
answers.fix = actions[1] and actions[1].title
if actions[1] then
  vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
  wait(function() return #vim.diagnostic.get(buffer) == 0 end)
end
answers.mended = #vim.diagnostic.get(buffer)
answers.hover = ask('textDocument/hover', { position = after('tool_input.file_p') })
answers.definition = ask('textDocument/definition', { position = after('when: secre') })
answers.renamed = ask('textDocument/rename', { position = after('when: secre'), newName = 'hidden' })
answers.lenses = ask('textDocument/codeLens', {})
local lens = answers.lenses[1]
if lens then answers.ran = ask('workspace/executeCommand', lens.command) end
replace('tool_input.file_path.endsWith', 'tool_input.')
local completed = ask('textDocument/completion', { position = after("tool_input.") })
answers.completed = {}
for _, item in ipairs(completed.items or {}) do table.insert(answers.completed, item.label) end

local handle = io.open(out, 'w')
handle:write(vim.json and vim.json.encode(answers) or vim.fn.json_encode(answers))
handle:close()
vim.cmd('qall!')
