# Checks programs with Fencepost as CTest tests.
#
#   include(path/to/Fencepost.cmake)       # npm root -g, or node_modules/fencepost/recipes/cmake
#   enable_testing()
#   fencepost_add_test(NAME ring SOURCES ring_driver.c ring.c
#                      [MODELS sc tso] [DEFINES SLOTS=2] [INCLUDES include] [ARGS --unroll 8]
#                      [EXPECT violation])
#
# A test passes if every model is verified: an error makes it fail, and so does reaching a bound. With EXPECT violation it
# passes if some model has an error.
find_program(FENCEPOST_COMMAND fencepost HINTS "${CMAKE_SOURCE_DIR}/node_modules/.bin")

function(fencepost_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "NAME;EXPECT" "SOURCES;MODELS;DEFINES;INCLUDES;ARGS")
  if(NOT ARG_NAME OR NOT ARG_SOURCES)
    message(FATAL_ERROR "fencepost_add_test needs NAME and SOURCES")
  endif()
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "fencepost_add_test(${ARG_NAME}): what is ${ARG_UNPARSED_ARGUMENTS}?")
  endif()
  if(NOT FENCEPOST_COMMAND)
    message(FATAL_ERROR "fencepost_add_test(${ARG_NAME}): fencepost is not installed; try npm install fencepost, or set FENCEPOST_COMMAND")
  endif()
  set(command "${FENCEPOST_COMMAND}" check ${ARG_SOURCES} --no-out)
  if(ARG_MODELS)
    list(JOIN ARG_MODELS "," models)
    list(APPEND command --model "${models}")
  endif()
  foreach(define IN LISTS ARG_DEFINES)
    list(APPEND command -D "${define}")
  endforeach()
  foreach(folder IN LISTS ARG_INCLUDES)
    list(APPEND command -I "${folder}")
  endforeach()
  list(APPEND command ${ARG_ARGS})
  add_test(NAME "${ARG_NAME}" COMMAND ${command} WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  if(NOT ARG_EXPECT OR ARG_EXPECT STREQUAL "verified")
    return()
  elseif(ARG_EXPECT STREQUAL "violation")
    set_tests_properties("${ARG_NAME}" PROPERTIES PASS_REGULAR_EXPRESSION ": violation")
  else()
    message(FATAL_ERROR "fencepost_add_test(${ARG_NAME}): EXPECT takes verified or violation, not ${ARG_EXPECT}")
  endif()
endfunction()
