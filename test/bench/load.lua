-- The requests and the report of wrk. Arguments: method, path, User-Agent, a file with the cookie of
-- a visitor in each line, and how many of them send the requests, in a random order.

local requests = {}

function init(args)
  for cookie in io.lines(args[4]) do
    if #requests == tonumber(args[5]) then break end
    local headers = { ["Cookie"] = cookie, ["User-Agent"] = args[3] }
    requests[#requests + 1] = wrk.format(args[1], args[2], headers)
  end
end

function request()
  return requests[math.random(#requests)]
end

-- Times in microseconds.
function done(summary, latency)
  local errors = summary.errors
  local failed = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  print(string.format('RESULT {"count":%d,"duration":%d,"p50":%d,"p99":%d,"failed":%d}',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), failed))
end
