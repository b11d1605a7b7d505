import os, time, logging
import pytest, schemathesis
from schemathesis.config import SchemathesisConfig
from schemathesis.pytest.lazy import get_all_tests
from configbox.wsgi import application
from tests.entities.conftest import author, files_of_the_test, shop  # noqa: F401
from tests.tokens_of_every_kind import minted
from schemathesis.checks import load_all_checks
pytestmark = [pytest.mark.django_db, pytest.mark.timeout(3000)]
ONLY=os.environ.get("ONLY","")
def test_all(shop):
    load_all_checks()
    logging.disable(logging.CRITICAL)
    good,_,_ = minted()
    headers = {"Authorization": f"Bearer {good}", "Host": "localhost"}
    CONFIG={"generation": {"deterministic": True, "allow-x00": False,"max-examples":1}, "headers": headers,
     "phases":{"fuzzing":{"enabled":False},"examples":{"enabled":False}},
      "checks": {"positive_data_acceptance": {"expected-statuses": ["2xx", "400","404","409","412","422"]},"negative_data_rejection":{"expected-statuses":["400","401","404","405","413","415","422"]}}}
    config = SchemathesisConfig.from_dict(CONFIG)
    schema= schemathesis.openapi.from_wsgi("/cb-api/v1/openapi.json", application, config=config, headers=headers)
    schema=schema.include(path_regex=ONLY)
    seen=set(); n=[0]
    def check(case):
        n[0]+=1
        r=case.call(headers=headers)
        try: case.validate_response(r,headers=headers)
        except BaseExceptionGroup as g:
            for f in g.exceptions:
                key=(case.operation.label,type(f).__name__)
                if key not in seen:
                    seen.add(key)
                    print("FAIL",key,str(f)[:1500],"\n   ",case.as_curl_command()[:900],"\n   ",r.status_code,r.content[:600])
    for result in get_all_tests(schema=schema,test_func=check,settings=None,given_kwargs={}):
        op,t=result.ok()
        n[0]=0; s=time.time()
        try: t()
        except Exception as e: print("EXC",op.label,type(e),str(e)[:500])
        print(op.label,n[0],round(time.time()-s,1))
