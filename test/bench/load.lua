-- The requests of wrk, and its report. Arguments: method, path, User-Agent, and the cookies of the
-- visitors, who take turns.

local requests = {}
local count = 0

function init(args)
  for i = 4, #args do
    local headers = { ["Host"] = "localhost", ["Cookie"] = args[i], ["User-Agent"] = args[3] }
    requests[#requests + 1] = wrk.format(args[1], args[2], headers)
  end
end

function request()
  count = count % #requests + 1
  return requests[count]
end

-- Times in µs.
function done(summary, latency)
  local errors = summary.errors
  local failed = errors.status + errors.connect + errors.read + errors.timeout
  print(string.format('RESULT {"count":%d,"duration":%d,"p99":%d,"failed":%d}',
    summary.requests, summary.duration, latency:percentile(99), failed))
end
