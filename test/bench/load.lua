-- The requests and the report of wrk. All requests are built once at the start and sent in turn.
-- Arguments: a file (a visitor per line: method, path, cookie, User-Agent, separated by tabs)
-- and the pause before each request in ms.

local requests = {}
local count = 0
local turn = 0
local pause = 0

function init(args)
  pause = tonumber(args[2])
  for line in io.lines(args[1]) do
    local method, path, cookie, agent = line:match("^(.-)\t(.-)\t(.-)\t(.*)$")
    count = count + 1
    requests[count] = wrk.format(method, path, { ["Cookie"] = cookie, ["User-Agent"] = agent })
  end
  if pause > 0 then
    function delay()
      return pause
    end
  end
end

function request()
  turn = turn % count + 1
  return requests[turn]
end

-- Latencies in microseconds, the duration too.
function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    'RESULT {"requests":%d,"duration":%d,"p50":%d,"p99":%d,"max":%d,"failed":%d,"refused":%d}',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), latency.max,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout
  ))
end
